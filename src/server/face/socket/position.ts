import type { Bytes32 } from "../../../protocol/fields.ts";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import type { VenueHost } from "../../host/host.ts";

/** The last message of a stream that a client handled. */
export interface Position {
  readonly epoch: number;
  readonly seq: number;
  /** Of the block at `seq`. */
  readonly hash: string;
}

/** Head of the effects chain after a block; undefined if the block is pruned. */
export function hashAt(host: VenueHost, height: number): Bytes32 | undefined {
  if (height === host.state.height) return getHead(host.state);
  return host.block(height)?.hash ?? host.block(height + 1)?.parentHash;
}

/** Whether the chain has the block that a client names; undefined if that is no longer known. */
export function isOfChain(host: VenueHost, { epoch, seq, hash }: Position): boolean | undefined {
  if (epoch !== host.epoch || seq > host.state.height) return false;
  const own = hashAt(host, seq);
  return own === undefined ? undefined : own === hash;
}
