/** Types of the stream's messages, derived from the contract without importing its schemas. */
import type { Static } from "typebox";
import type { BookDepth, ChannelName, DeltaOf, SnapshotOf } from "../../api/socket/channels.ts";
import type { ClientMessage, serverMessages } from "../../api/socket/messages.ts";

type ServerMessages = { readonly [Type in keyof typeof serverMessages]: Static<(typeof serverMessages)[Type]> };

/** Names a stream: its channel, and its market or account. */
export interface StreamKey<C extends ChannelName = ChannelName> {
  readonly channel: C;
  readonly market?: string;
  readonly address?: string;
  /** Levels of each side of a book. */
  readonly depth?: BookDepth;
}

interface StreamMessage<Data> {
  readonly stream: string;
  readonly channel: string;
  readonly epoch: number;
  readonly seq: number;
  /** Of the block at `seq`: head of the effects chain after it. */
  readonly hash: string;
  /** Block time. */
  readonly timeMs: number;
  readonly data: Data;
  /** Of a book: CRC-32 over its ten best levels. */
  readonly checksum?: number;
}

/** The stream as it is. */
export interface Snapshot<Data = unknown> extends StreamMessage<Data> {
  readonly type: "snapshot";
}

/** What a block changed. */
export interface Delta<Data = unknown> extends StreamMessage<Data> {
  readonly type: "delta";
  readonly prevSeq: number;
}

export type ServerMessage = ServerMessages[keyof ServerMessages] | Snapshot | Delta;
export type { BookDepth, ChannelName, ClientMessage, DeltaOf, ServerMessages, SnapshotOf };
