import { abs, min } from "../arithmetic.ts";
import type { DemandOf } from "../authorization/demand.ts";
import { findMarket } from "../market/createMarket.ts";
import { checkStatus } from "../orders/checkOrder.ts";
import { enterOrder } from "../orders/enterOrder.ts";
import { refuse, rejected } from "../receipts.ts";
import type { Market } from "../state.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"closePosition"> = ({ market }) => ({ scope: "reduce", markets: [market] });

/** A reduce-only IOC on the opposite side, for all or part of a position; cancels own orders in its way (ORD-2). */
const apply: Handler<"closePosition"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const closed = checkStatus(market, true, false);
  if (closed !== undefined) return rejected(closed);
  if (Number(payload.slippage) < 0) return rejected(refuse(state, "FIELD_REFUSED", { field: "slippage" }));
  const account = actingAccount(context);
  const signedLots = account.positions.get(market.ordinal)?.signedLots ?? 0n;
  if (signedLots === 0n) return rejected("POSITION_NOT_FOUND");
  // A position larger than the largest order is closed in parts.
  const most = account.role === "house" ? abs(signedLots) : min(abs(signedLots), market.parameters.maxLots);
  const entered = enterOrder(state, {
    id: context.firstId,
    account,
    grant: context.actor?.grant,
    market,
    side: signedLots > 0n ? "sell" : "buy",
    orderType: "market",
    sizeE8: computeSizeE8(market, BigInt(payload.size), most),
    price: BigInt(payload.price),
    slippage: BigInt(payload.slippage),
    timeInForce: "IOC",
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: "no",
    reduceOnly: true,
    selfTrade: "cancelMaker",
    selfTradeScope: "account",
    clientOrderId: payload.clientOrderId,
  });
  return "code" in entered ? entered : { results: [entered.result] };
};

export const closePosition: ModelAction<"closePosition"> = { domain: "risk", demand, apply };

/** The requested lots, at most so many; all of them by default. A size that is not whole lots is left for the check. */
function computeSizeE8({ parameters: { lotSize } }: Market, asked: bigint, most: bigint): bigint {
  if (asked % lotSize !== 0n) return asked;
  return (asked === 0n ? most : min(asked / lotSize, most)) * lotSize;
}
