import type { ClientError } from "../errors.ts";
import type { ChannelName, Delta, DeltaOf, Snapshot, SnapshotOf, StreamKey } from "./messages.ts";
import type { StreamClient, Subscription } from "./streamClient.ts";

/** A message of a stream: its present state, or the changes of a block. */
export type StreamMessageOf<C extends ChannelName> = Snapshot<SnapshotOf<C>> | Delta<DeltaOf<C>>;

/** Messages that may wait to be read before the stream restarts with a snapshot. */
const WAITING_MOST = 10_000;

/**
 * The messages of a stream as an async iterator: a snapshot, then deltas, and another snapshot whenever the stream
 * restarts. Leaving the loop ends the subscription.
 *
 * @throws {ClientError} SOCKET_FAILED if the venue does not serve it
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
    // Unread messages are no longer valid either.
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
