import type { Bytes32 } from "../../protocol/fields.ts";

/** The network that a client is meant for. What is left out is pinned by the first answer. */
export interface NetworkExpectation {
  readonly name?: string;
  readonly chainId?: number;
  readonly genesisHash?: Bytes32;
}

/** A network as it is pinned: what signatures are bound to, and which course of its chain. */
export interface NetworkIdentity {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: Bytes32;
  /** Rises when the chain is another one than clients have seen. */
  readonly epoch: number;
}
