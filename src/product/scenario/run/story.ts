import { NONE } from "../../../ground/collections/table.ts";
import { computeFree, measure } from "../../../venue/engine/margin/health.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow, MarketRow, OrderRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Case, PlannedBlock } from "../compile/plan.ts";
import { eventWords } from "../expect/events.ts";
import type { EventText } from "../expect/eventText.ts";
import type { Outcome } from "../expect/expectation.ts";
import { fillWords } from "../expect/fills.ts";
import { lineOf } from "../expect/orders.ts";
import { describeWithNumbers } from "../expect/receipts.ts";
import { lotsText, priceText, usd } from "../expect/units.ts";
import type { AccountStory, BlockStory } from "./result.ts";

/** Events that a reader of a block's story does not need: they follow from the rest of it. */
const BOOKKEEPING: readonly string[] = [
  "fill",
  "nonceAdvanced",
  "nonceUsed",
  "oracleUpdated",
  "pricesMoved",
  "positionChanged",
  "fundingSampled",
  "accountCreated",
  "orderOpened",
];

/** The effects of a block, and the venue after it. */
export function describeBlock(
  state: State,
  plan: Case,
  planned: PlannedBlock,
  outcomes: readonly Outcome[],
  events: readonly EventText[],
): BlockStory {
  return {
    name: planned.name,
    note: planned.note,
    height: state.height,
    timeMs: state.timeMs,
    transactions: outcomes.map((outcome) => ({ words: outcome.step.words, outcome: describeWithNumbers(outcome) })),
    fills: events.filter(({ kind }) => kind === "fill").map(fillWords),
    events: events.filter(({ kind }) => !BOOKKEEPING.includes(kind)).map(eventWords),
    prices: state.marketNames.map((market, row) => ({
      market,
      oracle: priceText(state.markets.oracle[row as MarketRow]!),
      index: priceText(state.markets.index[row as MarketRow]!),
      mark: priceText(state.markets.mark[row as MarketRow]!),
    })),
    accounts: plan.names.all.flatMap((name) => {
      const row = findAccount(state, plan.names.key(name));
      return row === NONE ? [] : [describeAccount(state, name, row)];
    }),
  };
}

function describeAccount(state: State, name: string, row: AccountRow): AccountStory {
  const { accounts, positions, orders } = state;
  const open: string[] = [];
  const resting: OrderRow[] = [];
  for (let at = accounts.position[row]!; at !== NONE; at = positions.next[at]!) {
    const market = positions.market[at]!;
    if (positions.signedLots[at] !== 0)
      open.push(`${lotsText(state, market, positions.signedLots[at]!)} ${state.marketNames[market]}`);
    for (let order = positions.orders[at]!; order !== NONE; order = orders.older[order]!) resting.push(order);
  }
  resting.sort((a, b) => orders.id[a]! - orders.id[b]!);
  const health = measure(state, row);
  const collateral = accounts.collateral[row]!;
  return {
    name,
    collateral: usd(collateral),
    equity: usd(health.overflow ? health.bigEquity : health.equity),
    initial: usd(health.overflow ? health.bigInitial : health.initial),
    maintenance: usd(health.overflow ? health.bigMaintenance : health.maintenance),
    free: usd(computeFree(collateral, health)),
    positions: open.join(", "),
    orders: resting.map((order) => lineOf(state, order)).join(", "),
  };
}
