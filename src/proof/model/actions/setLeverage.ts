import type { RejectionCode } from "../../../protocol/rejections.ts";
import { positionOf } from "../accounts.ts";
import type { DemandOf } from "../authorization/demand.ts";
import { type Health, isOutOfRange, marginAccountOf, measure } from "../margin/health.ts";
import { isIn } from "../margin/outflow.ts";
import { findMarket } from "../market/createMarket.ts";
import { checkReserve, reserveOf, restingOf } from "../orders/orderMargin.ts";
import { isTrusted } from "../prices/validity.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import type { ModelState, Position } from "../state.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"setLeverage"> = ({ market }) => ({ scope: "margin", markets: [market] });

/**
 * From now on initial margin is at least notional / leverage. The margin accounts must cover it, or it must not
 * increase (MRG-1, MRG-4). An account with nothing in the market needs no price for it.
 */
const apply: Handler<"setLeverage"> = (state, context, { market: name, leverage }) => {
  const market = findMarket(state, name);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const account = actingAccount(context);
  const found = account.positions.get(market.ordinal);
  const isHeld = isIn(account, market);
  if (isHeld && market.restarting) return rejected("MARKET_RESTARTING");
  if (leverage !== 0 && BigInt(leverage) === (found?.leverage ?? 0n)) return rejected("NOTHING_TO_DO");
  if (leverage < 1 || BigInt(leverage) > market.parameters.leverageMax)
    return rejected(refuse(state, "LEVERAGE_OUT_OF_RANGE", { leverage, most: market.parameters.leverageMax }));
  if (isHeld && !isTrusted(market, state.timeMs, "margin")) return rejected("PRICE_NOT_VALID");
  const position = positionOf(account, market);
  const code = isHeld ? checkLeverage(state, position, BigInt(leverage)) : undefined;
  if (code !== undefined) return rejected(code);
  position.leverage = BigInt(leverage);
  return APPLIED;
};

export const setLeverage: ModelAction<"setLeverage"> = { domain: "risk", demand, apply };

/**
 * Whether the position's margin account covers its margin, and cross covers the margin that the market's orders
 * reserve.
 */
function checkLeverage(state: ModelState, position: Position, leverage: bigint): RejectionCode | undefined {
  const marginAccount = marginAccountOf(position);
  const chosen = position.leverage;
  const before = measure(marginAccount);
  position.leverage = leverage;
  const after = measure(marginAccount);
  const reserve = reserveOf(position, position.signedLots, restingOf(position));
  position.leverage = chosen;
  if (isOutOfRange(before)) return "NUMERIC_LIMIT";
  const { equity, required } = after;
  if (!carries(before, after)) return refuse(state, "INSUFFICIENT_MARGIN", { equity, required });
  return position.mode === "isolated" ? checkReserve(state, position, reserve, 0n, 0n) : undefined;
}

function carries(before: Health, after: Health): boolean {
  return after.equity >= after.required || after.required <= before.required;
}
