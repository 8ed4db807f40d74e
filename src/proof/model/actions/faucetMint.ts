import { rejected } from "../receipts.ts";
import { credit } from "./credit.ts";
import type { Handler } from "./handler.ts";

/** Mints if genesis enables the faucet (NET-1). */
export const applyFaucetMint: Handler<"faucetMint"> = (state, _context, { to, toSubaccount, amount }) =>
  state.genesis.features.faucet ? credit(state, to, toSubaccount, BigInt(amount)) : rejected("FEATURE_DISABLED");
