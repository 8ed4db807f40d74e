import type { Bytes32 } from "../../../protocol/fields.ts";

/** The expected network. The first answer pins members that are left out. */
export interface NetworkExpectation {
  readonly name?: string;
  readonly chainId?: number;
  readonly genesisHash?: Bytes32;
}

/** How the venue's network changed since the client pinned it. All earlier reads are invalid. */
export interface NetworkChange {
  /**
   * What differs: `genesisHash`, `chainId`, `name` of another network; `epoch` after a revert, a load or a restart;
   * `block` if the chain lacks the block at which a stream was to be resumed.
   */
  readonly field: "name" | "chainId" | "genesisHash" | "epoch" | "block";
  readonly before: string;
  readonly now: string;
}

/** A network as a stream identifies it. */
export type StreamedIdentity = Pick<NetworkIdentity, "name" | "genesisHash" | "epoch">;

/** A pinned network: the domain that signatures are bound to, and the epoch of its chain. */
export interface NetworkIdentity {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: Bytes32;
  /** Rises when the chain is replaced. */
  readonly epoch: number;
}
