import { credit } from "./credit.ts";
import type { Handler } from "./handler.ts";

/** ACC. */
export const applyDeposit: Handler<"deposit"> = (state, _context, { to, toSubaccount, amount }) =>
  credit(state, to, toSubaccount, BigInt(amount));
