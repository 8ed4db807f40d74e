import type { Bytes32 } from "../../../protocol/fields.ts";

/** The network that a client is meant for. What is left out is pinned by the first answer. */
export interface NetworkExpectation {
  readonly name?: string;
  readonly chainId?: number;
  readonly genesisHash?: Bytes32;
}

/** How a venue is no longer the one that the client has seen. Whatever the client read of it before holds no more. */
export interface NetworkChange {
  /**
   * What differs: `genesisHash`, `chainId`, `name` of another network; `epoch` after a revert, a load or a restart; `block`
   * where the block at which a stream was to be resumed is not one of the chain.
   */
  readonly field: "name" | "chainId" | "genesisHash" | "epoch" | "block";
  readonly before: string;
  readonly now: string;
}

/** A network as a stream names it. */
export type StreamedIdentity = Pick<NetworkIdentity, "name" | "genesisHash" | "epoch">;

/** A network as it is pinned: what signatures are bound to, and which course of its chain. */
export interface NetworkIdentity {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: Bytes32;
  /** Rises when the chain is another one than clients have seen. */
  readonly epoch: number;
}
