import type { DemandOf } from "../authorization/demand.ts";
import { freeOf, measure } from "../margin/health.ts";
import { findMarket } from "../market/createMarket.ts";
import { isTrusted } from "../prices/validity.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import { LIMIT, MARGIN_DIRECTIONS } from "../words.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"adjustIsolatedMargin"> = ({ market }) => ({ scope: "margin", markets: [market] });

/** Moves free collateral from cross to an isolated position, or back (MRG-2, MRG-5). */
const apply: Handler<"adjustIsolatedMargin"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const account = actingAccount(context);
  const amount = BigInt(payload.amount);
  const adds = MARGIN_DIRECTIONS[payload.direction] === "add";
  if (!adds && market.restarting) return rejected("MARKET_RESTARTING");
  const position = account.positions.get(market.ordinal);
  if (position === undefined || position.mode !== "isolated" || position.signedLots === 0n)
    return rejected("POSITION_NOT_ISOLATED");
  if (amount === 0n) return rejected("NOTHING_TO_DO");
  if ((adds ? position.isolated : account.collateral) + amount > LIMIT / 4n) return rejected("NUMERIC_LIMIT");
  const source = { account, isolated: adds ? undefined : position };
  if (!adds && !isTrusted(market, state.timeMs, "margin")) return rejected("PRICE_NOT_VALID");
  const free = freeOf(measure(source));
  if (amount > free) return rejected(refuse(state, "INSUFFICIENT_FREE_COLLATERAL", { amount, free }));
  const delta = adds ? amount : -amount;
  account.collateral -= delta;
  position.isolated += delta;
  return APPLIED;
};

export const adjustIsolatedMargin: ModelAction<"adjustIsolatedMargin"> = { domain: "risk", demand, apply };
