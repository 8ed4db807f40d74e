import type { ClientError } from "../errors.ts";
import type { Delta, Snapshot, StreamKey } from "./messages.ts";
import type { StreamClient, Subscription } from "./streamClient.ts";

/** Messages that may wait to be read before the stream is made anew. */
const WAITING_MOST = 10_000;

/**
 * The messages of a stream as an async iterator: a snapshot, then deltas, and a snapshot again wherever the stream had to
 * be made anew. Leaving the loop leaves the stream.
 *
 * @throws {ClientError} SOCKET_FAILED where the venue does not serve it
 */
export async function* messagesOf<Data>(
  streams: StreamClient,
  key: StreamKey,
): AsyncGenerator<Snapshot<Data> | Delta<Data>, void, undefined> {
  let waiting: (Snapshot<Data> | Delta<Data>)[] = [];
  let failure: ClientError | undefined;
  let subscription: Subscription | undefined;
  let wake = () => {};
  const take = (message: Snapshot<Data> | Delta<Data>) => {
    waiting.push(message);
    if (waiting.length > WAITING_MOST) subscription?.resync();
    wake();
  };
  subscription = streams.follow<Data>(key, {
    onSnapshot: take,
    onDelta: take,
    // What is not read yet is part of what holds no more.
    onResync: () => {
      waiting = [];
    },
    onError(error) {
      failure = error;
      wake();
    },
  });
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (failure !== undefined) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    subscription?.close();
  }
}
