import { accounts, nonces } from "./accounts.ts";
import { events } from "./events.ts";
import type { Expectation } from "./expectation.ts";
import { fills } from "./fills.ts";
import { grants } from "./grants.ts";
import { liquidations } from "./liquidations.ts";
import { insurance, markets, prices, venue } from "./markets.ts";
import { book, orders } from "./orders.ts";
import { positions } from "./positions.ts";
import { receipts } from "./receipts.ts";

/** Every key of `expect`, in the order of the checks: outcomes and events first, then the state. */
export const EXPECTATIONS: Readonly<Record<string, Expectation>> = {
  receipts,
  fills,
  events,
  accounts,
  positions,
  orders,
  book,
  prices,
  markets,
  liquidations,
  nonces,
  grants,
  insurance,
  venue,
};
