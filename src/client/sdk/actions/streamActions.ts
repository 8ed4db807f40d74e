import type { ClientBase } from "../client.ts";
import { ClientError } from "../errors.ts";
import { type FollowBookOptions, type FollowedBook, followBook } from "../socket/followBook.ts";
import type { ChannelName, StreamKey } from "../socket/messages.ts";
import { messagesOf, type StreamMessageOf } from "../socket/messagesOf.ts";
import type { StreamListener, Subscription } from "../socket/streamClient.ts";

/** Streams of a venue, over one connection that resumes by itself. */
export interface StreamActions {
  /**
   * Follows a stream: a snapshot, then every change, without a gap.
   *
   * @throws {ClientError} LISTENER_INVALID where `onSnapshot` or `onDelta` is missing
   */
  follow<C extends ChannelName>(key: StreamKey<C>, listener: StreamListener<C>): Subscription;
  /** The messages of a stream: `for await (const message of client.messages({ channel: "trades", market }))`. */
  messages<C extends ChannelName>(key: StreamKey<C>): AsyncGenerator<StreamMessageOf<C>, void, undefined>;
  /** Follows the book of a market and verifies it with the venue's checksum. */
  followBook(options: FollowBookOptions): FollowedBook;
}

/** Adds streams to a client: `createClient({ transport }).extend(streamActions)`. */
export function streamActions({ core }: ClientBase): StreamActions {
  return {
    follow(key, listener) {
      checkListener(listener);
      return core.streams.follow(key, listener);
    },
    messages: (key) => messagesOf(core.streams, key),
    followBook: (options) => followBook(core.streams, options),
  };
}

/**
 * Without this check a missing function would throw later, where a message arrives and no caller can catch the error.
 */
function checkListener(listener: Partial<Record<"onSnapshot" | "onDelta", unknown>>): void {
  for (const name of ["onSnapshot", "onDelta"] as const) {
    if (typeof listener[name] === "function") continue;
    throw new ClientError("LISTENER_INVALID", `the listener has no function \`${name}\``, { name });
  }
}
