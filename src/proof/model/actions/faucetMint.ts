import { rejected } from "../receipts.ts";
import { credit } from "./credit.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Mints if genesis enables the faucet (NET-1). */
const apply: Handler<"faucetMint"> = (state, _context, { to, toSubaccount, amount }) =>
  state.genesis.features.faucet ? credit(state, to, toSubaccount, BigInt(amount)) : rejected("FEATURE_DISABLED");

export const faucetMint: ModelAction<"faucetMint"> = { domain: "system", authority: "faucet", apply };
