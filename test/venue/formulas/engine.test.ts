import fc from "fast-check";
import { expect, test } from "vitest";
import { NONE } from "../../../src/ground/collections/table.ts";
import { formatDecimal, parseDecimal } from "../../../src/ground/math/decimal.ts";
import { LIMIT } from "../../../src/ground/math/fixed.ts";
import { MARGIN_MODE, SIDE } from "../../../src/protocol/words.ts";
import { readEvents } from "../../../src/venue/engine/events/readEvents.ts";
import { computeIndexMoveBig } from "../../../src/venue/engine/funding/cumulativeIndex.ts";
import { computeFundingRemainder, getUnsettledFunding } from "../../../src/venue/engine/funding/owed.ts";
import { getPremium } from "../../../src/venue/engine/funding/premium.ts";
import { measure, measureMarginAccount } from "../../../src/venue/engine/margin/health.ts";
import { getLiquidationPrice } from "../../../src/venue/engine/margin/liquidationPrice.ts";
import { marginAccountOf } from "../../../src/venue/engine/state/marginAccount.ts";
import type { MarketRow, PositionRow } from "../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { computeFundingPayment, computePremium } from "../../../src/venue/formulas/funding.ts";
import type { Level } from "../../../src/venue/formulas/levels.ts";
import { computeLiquidationPrice } from "../../../src/venue/formulas/liquidation.ts";
import { computeMargin, computeMarginWithOrders } from "../../../src/venue/formulas/margin.ts";
import { computePositionAfterFill, computeUnrealizedPnl } from "../../../src/venue/formulas/position.ts";
import { runFlow } from "../../helpers/flows.ts";

// Goal: a formula gives what the running venue does, to the unit. Method: generated flows, and after every block each
// formula is asked what the venue has just computed. Sizes beyond what a text can hold are left out.
const arbitrarySeed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const amount = (value: number | bigint) => formatDecimal(value, 6);
const price = (value: number) => formatDecimal(value, 8);

function sizeText(state: State, market: number, lots: number): string {
  return formatDecimal(BigInt(lots) * BigInt(state.parameters[market]!.lotSize), 8);
}

const fitsText = (state: State, market: number, lots: number) =>
  Math.abs(lots) * state.parameters[market]!.lotSize <= LIMIT;

function livePositions(state: State): PositionRow[] {
  const rows = Array.from({ length: state.positions.rows.high }, (_, row) => row as PositionRow);
  return rows.filter((row) => state.positions.rows.isLive(row));
}

function readSide(state: State, market: MarketRow, side: number): Level[] {
  const book = state.books[market]!;
  const levels: Level[] = [];
  let ticks = side === SIDE.buy ? book.bestBid : book.bestAsk;
  while (ticks !== 0) {
    let lots = 0;
    for (let order = book.head(ticks); order !== NONE; order = state.orders.levelNext[order]!) {
      lots += state.orders.remaining[order]!;
    }
    levels.push([price(ticks * state.parameters[market]!.tickSize), sizeText(state, market, lots)]);
    ticks = side === SIDE.buy ? book.below(ticks) : book.above(ticks);
  }
  return levels;
}

function overFlows(runs: number, blocks: number, least: number, look: (state: State) => number): void {
  let reached = 0;
  fc.assert(
    fc.property(arbitrarySeed, (seed) => {
      runFlow(seed, blocks, (state) => void (reached += look(state)));
    }),
    { numRuns: runs },
  );
  expect(reached).toBeGreaterThan(least);
}

test("equity and margins of an account are the sums of its formulas", () => {
  overFlows(8, 60, 500, (state) => {
    const { positions, markets, parameters } = state;
    const rows = livePositions(state).filter(
      (row) => positions.signedLots[row]! !== 0 || positions.orderCount[row]! !== 0,
    );
    let looked = 0;
    for (const row of rows) {
      const account = positions.account[row]!;
      const all = rows.filter((other) => positions.account[other]! === account);
      const market = (at: PositionRow) => positions.market[at]!;
      const reach = (at: PositionRow) =>
        Math.abs(positions.signedLots[at]!) + positions.buys[at]! + positions.sells[at]!;
      const isPlain = (at: PositionRow) =>
        positions.mode[at] === MARGIN_MODE.cross && fitsText(state, market(at), reach(at));
      if (all[0] !== row || !all.every(isPlain)) continue;
      const health = measure(state, account);
      if (health.overflow || all.some((at) => markets.mark[market(at)]! === 0)) continue;
      let equity = BigInt(state.accounts.collateral[account]!);
      let maintenance = 0n;
      let initial = 0n;
      for (const at of all) {
        const rules = parameters[market(at)]!;
        const sized = {
          size: sizeText(state, market(at), positions.signedLots[at]!),
          mark: price(markets.mark[market(at)]!),
        };
        // One that was chosen under other tiers, and is above the greatest by now, has no effect.
        const leverage = positions.leverage[at]! <= rules.leverageMax ? positions.leverage[at]! : 0;
        const pnl = computeUnrealizedPnl(rules, { ...sized, cost: amount(positions.cost[at]!) });
        equity += BigInt(toUnits(pnl)) - BigInt(getUnsettledFunding(state, at));
        maintenance += BigInt(toUnits(computeMargin(rules, sized).maintenance));
        const { required } = computeMarginWithOrders(rules, {
          ...sized,
          leverage,
          leastRate: formatDecimal(markets.initialRate[market(at)]!, 6),
          buys: sizeText(state, market(at), positions.buys[at]!),
          sells: sizeText(state, market(at), positions.sells[at]!),
          buyOrderCost: amount(positions.buyOrderCost[at]!),
          sellOrderCost: amount(positions.sellOrderCost[at]!),
        });
        initial += BigInt(toUnits(required));
      }
      expect([equity, maintenance, initial].map(Number)).toEqual([health.equity, health.maintenance, health.initial]);
      looked++;
    }
    return looked;
  });
});

test("the liquidation price is the venue's", () => {
  overFlows(6, 50, 100, (state) => {
    const { positions, markets, parameters } = state;
    let looked = 0;
    for (const row of livePositions(state)) {
      const market = positions.market[row]!;
      if (positions.signedLots[row]! === 0 || !fitsText(state, market, positions.signedLots[row]!)) continue;
      const health = measureMarginAccount(state, positions.account[row]!, marginAccountOf(state, row));
      if (health.overflow) continue;
      const sized = { size: sizeText(state, market, positions.signedLots[row]!), mark: price(markets.mark[market]!) };
      const own = toUnits(computeMargin(parameters[market]!, sized).maintenance);
      const computed = computeLiquidationPrice(parameters[market]!, {
        ...sized,
        equity: amount(health.equity),
        maintenanceOfOthers: amount(health.maintenance - own),
      });
      const expected = getLiquidationPrice(state, row);
      expect(computed).toBe(expected === undefined ? undefined : price(expected));
      looked++;
    }
    return looked;
  });
});

test("the premium of a book is the venue's sample", () => {
  overFlows(6, 50, 20, (state) => {
    let looked = 0;
    for (let market = 0 as MarketRow; market < state.markets.rows.high; market++) {
      const index = state.markets.index[market]!;
      const [bids, asks] = [readSide(state, market, SIDE.buy), readSide(state, market, SIDE.sell)];
      if (index === 0 || [...bids, ...asks].some(([, size]) => Number(size) > LIMIT / 1e8)) continue;
      const premium = computePremium(state.parameters[market]!, { index: price(index), bids, asks });
      expect(premium).toBe(formatDecimal(getPremium(state, market), 9));
      if (premium !== "0") looked++;
    }
    return looked;
  });
});

// A fill's event is followed by what it did to the maker, then to the taker.
test("positions change by a fill as the formula says", () => {
  let fills = 0;
  fc.assert(
    fc.property(arbitrarySeed, (seed) => {
      const known = new Map<string, { size: number; cost: number }>();
      runFlow(seed, 60, (state, _block, result) => {
        const due: { key: string; lots: number; price: number }[] = [];
        for (const event of readEvents(result.events, result.from, result.to)) {
          if (event.kind === "fill") {
            const lots = event.takerSide === SIDE.buy ? event.size : -event.size;
            due.push({ key: `${event.makerAccount} ${event.market}`, lots: -lots, price: event.price });
            due.push({ key: `${event.takerAccount} ${event.market}`, lots, price: event.price });
          } else if (event.kind === "positionChanged") {
            const key = `${event.account} ${event.market}`;
            const before = known.get(key) ?? { size: 0, cost: 0 };
            known.set(key, { size: event.size, cost: event.cost });
            const fill = due[0]?.key === key ? due.shift() : undefined;
            if (
              fill === undefined ||
              !fitsText(state, event.market, Math.max(Math.abs(before.size), Math.abs(fill.lots)))
            ) {
              continue;
            }
            const rules = state.parameters[event.market]!;
            const after = computePositionAfterFill(
              rules,
              { size: sizeText(state, event.market, before.size), cost: amount(before.cost) },
              { size: sizeText(state, event.market, fill.lots), price: price(fill.price * rules.tickSize) },
            );
            expect(after).toMatchObject({
              size: sizeText(state, event.market, event.size),
              cost: amount(event.cost),
              realizedPnl: amount(event.realized),
            });
            fills++;
          }
        }
      });
    }),
    { numRuns: 16 },
  );
  expect(fills).toBeGreaterThan(100);
});

test("a position owes after one payment what it owed before and the formula's payment", () => {
  let payments = 0;
  const carriedOf = (state: State, row: PositionRow) => {
    const { positions, markets } = state;
    const market = positions.market[row]!;
    const move = computeIndexMoveBig(
      markets.fundingHigh[market]!,
      markets.fundingLow[market]!,
      positions.fundingHigh[row]!,
      positions.fundingLow[row]!,
    );
    const owed = getUnsettledFunding(state, row);
    return {
      owed,
      carried: computeFundingRemainder(positions.signedLots[row]!, move, positions.fundingRemainder[row]!, owed),
    };
  };
  fc.assert(
    fc.property(arbitrarySeed, (seed) => {
      let before = new Map<string, { owed: number; carried: number }>();
      runFlow(seed, 80, (state, _block, result) => {
        const { positions, markets } = state;
        const touched = new Set<string>();
        const rates = new Map<number, number[]>();
        for (const event of readEvents(result.events, result.from, result.to)) {
          if (event.kind === "positionChanged" || event.kind === "fundingSettled") {
            touched.add(`${event.account} ${event.market}`);
          } else if (event.kind === "fundingAccrued") {
            rates.set(event.market, [...(rates.get(event.market) ?? []), event.rate]);
          }
        }
        const after = new Map<string, { owed: number; carried: number }>();
        for (const row of livePositions(state)) {
          const market = positions.market[row]!;
          const size = positions.signedLots[row]!;
          if (size === 0 || !fitsText(state, market, size)) continue;
          const key = `${positions.account[row]!} ${market}`;
          const now = carriedOf(state, row);
          after.set(key, now);
          const was = before.get(key);
          const [rate, more] = rates.get(market) ?? [];
          if (was === undefined || touched.has(key) || rate === undefined || more !== undefined) continue;
          const paid = computeFundingPayment(state.parameters[market]!, {
            size: sizeText(state, market, size),
            rate: formatDecimal(rate, 9),
            index: price(markets.index[market]!),
            carried: formatDecimal(was.carried, 15),
          });
          expect([amount(now.owed - was.owed), formatDecimal(now.carried, 15)]).toEqual([paid.payment, paid.carried]);
          payments++;
        }
        before = after;
      });
    }),
    { numRuns: 12 },
  );
  expect(payments).toBeGreaterThan(50);
});

/** Quote units of an amount as text. */
function toUnits(text: string): number {
  return parseDecimal(text, 6);
}
