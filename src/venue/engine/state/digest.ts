import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { computeGenesisHash } from "./genesisHash.ts";
import type { State } from "./state.ts";

/** The id of a transaction on this chain (TX-3). Costs a dozen hashes: only for what is named by its id. */
export function digestOf(state: State, transaction: Transaction): Bytes32 {
  state.digester ??= createDigester({ chainId: state.genesis.chainId, genesisHash: computeGenesisHash(state.genesis) });
  return state.digester.digestOf(transaction);
}
