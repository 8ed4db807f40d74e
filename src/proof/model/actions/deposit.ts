import { credit } from "./credit.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** ACC. */
const apply: Handler<"deposit"> = (state, _context, { to, toSubaccount, amount }) =>
  credit(state, to, toSubaccount, BigInt(amount));

export const deposit: ModelAction<"deposit"> = { domain: "system", authority: "operator", apply };
