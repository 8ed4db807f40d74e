import type { ClientBase } from "../client.ts";
import { type FollowBookOptions, type FollowedBook, followBook } from "../socket/followBook.ts";
import type { ChannelName, StreamKey } from "../socket/messages.ts";
import { messagesOf, type StreamMessageOf } from "../socket/messagesOf.ts";
import type { StreamListener, Subscription } from "../socket/streamClient.ts";

export interface StreamActions {
  /** Follows a stream: a snapshot, then every change, without a gap. */
  follow<C extends ChannelName>(key: StreamKey<C>, listener: StreamListener<C>): Subscription;
  /** The messages of a stream: `for await (const message of client.messages({ channel: "trades", market }))`. */
  messages<C extends ChannelName>(key: StreamKey<C>): AsyncGenerator<StreamMessageOf<C>, void, undefined>;
  /** Follows the book of a market, held against the venue's checksum. */
  followBook(options: FollowBookOptions): FollowedBook;
}

export function streamActions({ core }: ClientBase): StreamActions {
  return {
    follow: (key, listener) => core.streams.follow(key, listener),
    messages: (key) => messagesOf(core.streams, key),
    followBook: (options) => followBook(core.streams, options),
  };
}
