import { NONE } from "../../../ground/collections/table.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { MARGIN_MODES } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../../../venue/engine/funding/owed.ts";
import { measureIsolated } from "../../../venue/engine/margin/health.ts";
import { getLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { computeMarkedValueBig, computeNotionalBig } from "../../../venue/engine/valuation/notional.ts";
import { ACCOUNT_NAME } from "../../../venue/simulation/accountNames.ts";
import { MARKET_NAME } from "../compile/marketNames.ts";
import { type Cell, entriesOf, textOf } from "../parse/cell.ts";
import { either, key, map, mapOf, type Shape } from "../shape/shape.ts";
import { compareValues, differs, numberShape, valueShape } from "./compare.ts";
import { defineExpectation, type Moment } from "./expectation.ts";
import { lotsText, priceText, usd } from "./units.ts";

const DOCS: Readonly<Record<string, string>> = {
  size: "In base units; positive is long.",
  cost: "Paid for the open size, in USD; negative for a short.",
  entry: "Cost over size, rounded down to 1e-8; for display.",
  notional: "Size at the mark, in USD.",
  unrealized: "Value at the mark less cost, in USD, without funding.",
  funding: "Funding that it owes and has not settled, in USD; negative is to be received.",
  mode: "cross or isolated.",
  isolated: "Collateral of its own margin account, in USD; 0 for a cross position.",
  equity: "Equity of its own margin account, in USD; none for a cross position.",
  leverage: "Leverage that the owner chose; 0 for the market's greatest.",
  liquidationPrice: "First mark at which its account falls below maintenance; none where there is none.",
};

const single: Shape = either(
  numberShape,
  map(Object.fromEntries(Object.entries(DOCS).map(([name, doc]) => [name, key(valueShape, doc)]))),
);

export const positions = defineExpectation({
  shape: mapOf(
    "account names",
    ACCOUNT_NAME,
    either(
      numberShape,
      map(Object.fromEntries(Object.entries(DOCS).map(([name, doc]) => [name, key(valueShape, doc)])), {
        pattern: MARKET_NAME,
        called: "market names",
        shape: single,
        doc: "A position in this market: its size, or values of it.",
      }),
    ),
    "Positions of an account.",
  ),
  doc: "Positions by account, and by market where there is more than one: the size as text, `none`, or values of it.",
  check(moment, cell) {
    for (const { key: name, value } of entriesOf(cell)) {
      const named = value.kind === "map" && value.entries.some((entry) => moment.state.marketRows.has(entry.key));
      if (!named) checkPosition(moment, name, moment.market, value);
      else for (const entry of entriesOf(value)) checkPosition(moment, name, entry.key, entry.value);
    }
  },
});

function checkPosition(moment: Moment, name: string, market: string | undefined, cell: Cell): void {
  const { state, names } = moment;
  const row = market === undefined ? undefined : state.marketRows.get(market);
  if (row === undefined) {
    const expected = market === undefined ? "the name of a market" : "a market";
    moment.fail({ place: cell.place, what: `${name} ${market ?? ""}`, expected, observed: "none" });
    return;
  }
  const account = findAccount(state, names.key(name));
  const position = account === NONE ? (NONE as PositionRow) : getPosition(state, account, row);
  const size = position === NONE ? 0 : state.positions.signedLots[position]!;
  const what = `${name} ${market}`;
  if (cell.kind === "map" && !cell.entries.some((entry) => TOLERANCES.includes(entry.key))) {
    compareValues(moment, what, cell, observePosition(state, position, row));
    return;
  }
  const observed = textOf(cell) === "none" && size === 0 ? "none" : lotsText(state, row, size);
  const expected = differs(moment, cell, observed);
  if (expected !== undefined) moment.fail({ place: cell.place, what: `${what} size`, expected, observed });
}

const TOLERANCES = ["change", "approx", "atLeast", "atMost", "above", "below"];

/** Values of a position by the keys of `positions`, each read when it is asked for. */
export function observePosition(
  state: State,
  position: PositionRow,
  market: MarketRow,
): Readonly<Record<string, () => string>> {
  const rules = state.parameters[market]!;
  const exists = position !== NONE;
  const size = exists ? state.positions.signedLots[position]! : 0;
  const cost = exists ? state.positions.cost[position]! : 0;
  const mark = state.markets.mark[market]!;
  return {
    size: () => lotsText(state, market, size),
    cost: () => usd(cost),
    entry: () =>
      size === 0 ? "none" : formatDecimal((BigInt(cost) * 10n ** 10n) / (BigInt(size) * BigInt(rules.lotSize)), 8),
    notional: () => usd(computeNotionalBig(rules, size as never, mark)),
    unrealized: () => usd(computeMarkedValueBig(rules, size as never, mark) - BigInt(cost)),
    funding: () => usd(size === 0 ? 0 : getUnsettledFunding(state, position)),
    mode: () => MARGIN_MODES[exists ? state.positions.mode[position]! : 0]!,
    isolated: () => usd(exists ? state.positions.isolated[position]! : 0),
    equity: () => {
      if (!exists || state.positions.mode[position] === 0) return "none";
      const health = measureIsolated(state, position);
      return usd(health.overflow ? health.bigEquity : health.equity);
    },
    leverage: () => String(exists ? state.positions.leverage[position] : 0),
    liquidationPrice: () => {
      const found = size === 0 ? undefined : getLiquidationPrice(state, position);
      return found === undefined ? "none" : priceText(found);
    },
  };
}
