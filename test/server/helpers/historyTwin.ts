/** What the state says of things that the history follows by events: the plain twin of its open part. */
import { getClientOrderId, getLastHeight, getLastTime } from "../../../src/venue/engine/book/extras.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  INTENT_COLUMNS,
  type IntentRow,
  type OrderRow,
} from "../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";

const live = <Row extends number>(rows: { readonly high: number; isLive(row: number): boolean }): Row[] =>
  Array.from({ length: rows.high }, (_, row) => row as Row).filter((row) => rows.isLive(row));

export function ordersOfState(state: State) {
  const { orders, positions } = state;
  return live<OrderRow>(orders.rows)
    .map((row) => ({
      id: orders.id[row]!,
      account: positions.account[orders.position[row]!]!,
      market: positions.market[orders.position[row]!]!,
      side: (orders.flags[row]! & FLAG_SELL) === 0 ? 0 : 1,
      client: getClientOrderId(state, row),
      ticks: orders.price[row]!,
      remaining: orders.remaining[row]!,
      filled: orders.filled[row]!,
      reduceOnly: (orders.flags[row]! & FLAG_REDUCE_ONLY) !== 0,
      postOnly: getPostOnly(orders.flags[row]!),
      selfTrade: getSelfTradeMode(orders.selfTrade[row]!),
      selfTradeScope: getSelfTradeScope(orders.selfTrade[row]!),
      goodTilHeight: getLastHeight(state, row),
      goodTilTime: getLastTime(state, row),
    }))
    .sort((a, b) => a.id - b.id);
}

export function intentsOfState(state: State) {
  const { intents } = state;
  return live<IntentRow>(intents.rows)
    .map((row) => ({
      client: state.intentTexts[row] ?? "",
      values: Object.fromEntries(INTENT_COLUMNS.map((column) => [column, intents[column][row]!])),
    }))
    .sort((a, b) => a.values["id"]! - b.values["id"]!);
}

export function liquidationsOfState({ accounts, positions }: State): number[] {
  const open = [
    ...live(accounts.rows).map((row) => accounts.liquidation[row as never]!),
    ...live(positions.rows).map((row) => positions.liquidation[row as never]!),
  ];
  return open.filter((id) => id !== 0).sort((a, b) => a - b);
}
