import type { ClientError } from "../errors.ts";
import type { ChannelName, Delta, DeltaOf, Snapshot, SnapshotOf, StreamKey } from "./messages.ts";
import type { StreamClient, Subscription } from "./streamClient.ts";

/** A message of a stream: all of it, or what a block changed. */
export type StreamMessageOf<C extends ChannelName> = Snapshot<SnapshotOf<C>> | Delta<DeltaOf<C>>;

/** Messages that may wait to be read before the stream is made anew. */
const WAITING_MOST = 10_000;

/**
 * The messages of a stream as an async iterator: a snapshot, then deltas, and a snapshot again wherever the stream had to
 * be made anew. Leaving the loop leaves the stream.
 *
 * @throws {ClientError} SOCKET_FAILED where the venue does not serve it
 */
export async function* messagesOf<C extends ChannelName>(
  streams: StreamClient,
  key: StreamKey<C>,
): AsyncGenerator<StreamMessageOf<C>, void, undefined> {
  let waiting: StreamMessageOf<C>[] = [];
  let failure: ClientError | undefined;
  let subscription: Subscription | undefined;
  let wake = () => {};
  const take = (message: StreamMessageOf<C>) => {
    waiting.push(message);
    if (waiting.length > WAITING_MOST) subscription?.resync();
    wake();
  };
  subscription = streams.follow(key, {
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
