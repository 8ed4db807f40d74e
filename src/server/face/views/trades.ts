import type { Fill, Trade } from "../../../client/api/schemas/markets.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { SIDE, SIDES } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatAmount, formatAverage, formatLots } from "../../../venue/formulas/text.ts";
import { subaccountOf } from "../../../venue/reads/rows.ts";
import type { TradeRecord } from "../../history/trades.ts";
import { nameEvent } from "../../history/walkEvents.ts";
import { textOfTicks } from "./text.ts";

/** Price of a trade. Outside the book it is value by size, toward zero, and negative if the bankruptcy price is. */
export function textOfPrice(
  rules: MarketParameters,
  { ticks, value, lots }: { readonly ticks: number; readonly value: number | bigint; readonly lots: number },
): string {
  if (ticks !== 0) return textOfTicks(rules, ticks);
  const average = formatAverage(rules, BigInt(value), BigInt(lots));
  return value < 0 && average !== "0" ? `-${average}` : average;
}

function viewCommon(state: State, trade: TradeRecord) {
  const rules = state.parameters[trade.market]!;
  return {
    tradeId: nameEvent(trade),
    market: state.marketNames[trade.market]!,
    price: textOfPrice(rules, trade),
    size: formatLots(rules, trade.lots),
    value: formatAmount(trade.value),
    kind: trade.kind,
    height: trade.height,
    timeMs: trade.timeMs,
  };
}

export function viewTrade(state: State, trade: TradeRecord): Trade {
  return { ...viewCommon(state, trade), takerSide: SIDES[trade.takerSide]! };
}

/** The sides of a trade that an account took: both if it traded with itself. */
export function viewFills(state: State, trade: TradeRecord, account: AccountRow): Fill[] {
  const common = viewCommon(state, trade);
  const subaccount = subaccountOf(state, account);
  const { taker, maker, takerSide } = trade;
  const fill = (role: "maker" | "taker", side: number, order: number, fee: number): Fill => ({
    ...common,
    orderId: order === 0 ? null : String(order),
    subaccount,
    side: SIDES[side]!,
    role,
    fee: formatAmount(fee),
  });
  const other = takerSide === SIDE.buy ? SIDE.sell : SIDE.buy;
  return [
    ...(taker === account ? [fill("taker", takerSide, trade.takerOrder, trade.takerFee)] : []),
    ...(maker === account ? [fill("maker", other, trade.makerOrder, trade.makerFee)] : []),
  ];
}
