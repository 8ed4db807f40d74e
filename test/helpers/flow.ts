/**
 * Random but meaningful steps for a venue of a few names and markets: they name orders by place, so shrinking keeps
 * sense.
 */
import fc from "fast-check";
import { formatDecimal } from "../../src/ground/math/decimal.ts";
import type { OrderRow } from "../../src/venue/engine/state/schema.ts";
import type { Step } from "./venue/traderSteps.ts";
import { TestVenue } from "./venue.ts";

export const NAMES = ["a", "b", "b/1", "c", "d"] as const;
export const MARKETS = ["TEST", "MORE", "SLOW"] as const;

/** Three markets of different making, with fees, rebates, small limits; five leveraged accounts and a house. */
export function flowVenue(): TestVenue {
  return new TestVenue({
    markets: {
      TEST: { takerFee: "0.0005", makerFee: "-0.0002", tier2: "1500 0.2 0.1", positionLimit: "90" },
      MORE: { fundingMethod: "hyperliquid", fundingInterval: "60000", impactNotional: "300", priceBand: "0.5" },
      SLOW: {
        markMethod: "median",
        fundingMethod: "hyperliquid",
        fundingInterval: "90000",
        fundingPaymentMax: "0.00001",
      },
    },
    accounts: { a: "130", b: "120", "b/1": "110", c: "300", d: "5000" },
    house: { house: "0" },
    insurance: "40",
    prices: { TEST: "100", MORE: "100", SLOW: "100" },
    genesis: { timeMs: 1_000_000, liquidationsMax: 2 },
  });
}

const who = fc.constantFrom(...NAMES);
const market = fc.constantFrom(...MARKETS);

export const arbitraryStep = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant("order" as const),
      who: fc.constantFrom(...NAMES, "house"),
      market,
      buys: fc.boolean(),
      lots: fc.integer({ min: 1, max: 12 }),
      off: fc.integer({ min: -3, max: 3 }),
      tif: fc.constantFrom("GTC" as const, "GTC" as const, "GTT" as const, "IOC" as const, "FOK" as const),
      postOnly: fc.constantFrom(false as const, false as const, false as const, true as const, "slide" as const),
      reduceOnly: fc.constantFrom(false, false, false, false, false, false, true),
      selfTrade: fc.constantFrom(
        "cancelTaker" as const,
        "cancelMaker" as const,
        "cancelBoth" as const,
        "decrement" as const,
      ),
      client: fc.constantFrom("", "", "x", "y"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("cancel" as const), at: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("amend" as const),
      at: fc.nat(),
      lots: fc.nat(40),
      off: fc.integer({ min: -2, max: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("close" as const), who, market }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("leverage" as const),
      who,
      market,
      leverage: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("withdraw" as const), who, amount: fc.integer({ min: 1, max: 300 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("transfer" as const),
      who,
      to: who,
      amount: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancelAll" as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("noop" as const), who, nonce: fc.constantFrom(undefined, 0, 999) }),
  },
);

export const arbitraryBlock = fc.record({
  ms: fc.constantFrom(1, 1000, 7000, 31_000, 100_000),
  test: fc.option(
    fc.record({ cents: fc.integer({ min: 8000, max: 12_500 }), funding: fc.integer({ min: -3000, max: 3000 }) }),
  ),
  more: fc.option(fc.integer({ min: 8000, max: 12_500 })),
  slow: fc.option(fc.integer({ min: 9700, max: 10_300 })),
  deposit: fc.option(fc.record({ to: who, amount: fc.integer({ min: 1, max: 9 }) })),
  quotes: fc.boolean(),
  steps: fc.array(arbitraryStep, { minLength: 2, maxLength: 9, size: "max" }),
});

export type FlowStep = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never;
export type FlowBlock = typeof arbitraryBlock extends fc.Arbitrary<infer T> ? T : never;

/** Steps of a block as this venue, now, understands them. System steps first. */
export function toSteps(v: TestVenue, block: FlowBlock): Step[] {
  const steps: Step[] = [];
  const price = (cents: number) => formatDecimal(cents, 2);
  if (block.test !== null)
    steps.push(v.price(price(block.test.cents), { funding: formatDecimal(block.test.funding * 1000, 9) }));
  if (block.more !== null) steps.push(v.price(price(block.more), { market: "MORE" }));
  if (block.slow !== null) steps.push(v.price(price(block.slow), { market: "SLOW" }));
  if (block.deposit !== null) steps.push(v.deposit(block.deposit.to, `${block.deposit.amount}`, "wire"));
  if (block.quotes) {
    steps.push(v.cancelAll("house"));
    for (const market of MARKETS) {
      const mid = Math.max(2, Math.round(v.mark(market) / 1e8));
      steps.push(v.buy("house", "40", `${mid - 1}`, { market }), v.sell("house", "40", `${mid + 1}`, { market }));
    }
  }
  for (const step of block.steps) steps.push(...toStep(v, step));
  return steps;
}

function toStep(v: TestVenue, step: FlowStep): Step[] {
  const { orders, positions } = v.state;
  const live = () => {
    const rows: OrderRow[] = [];
    for (let row = 0; row < orders.rows.high; row++) if (orders.rows.isLive(row)) rows.push(row as OrderRow);
    // By id: which row an order lies in must not matter to what is asked.
    return rows.sort((a, b) => orders.id[a]! - orders.id[b]!);
  };
  switch (step.kind) {
    case "order": {
      // Mostly across the spread, so that things happen.
      const at = Math.max(1, Math.round(v.mark(step.market) / 1e8) + (step.buys ? 2 : -2) + step.off);
      const { tif, postOnly, reduceOnly, selfTrade, client, market: name } = step;
      return [
        v.order(step.who, step.buys ? "buy" : "sell", `${step.lots}`, `${at}`, {
          tif,
          ...(tif === "GTT" ? { height: v.state.height + 1 + (step.lots % 5) } : {}),
          postOnly,
          reduceOnly,
          selfTrade,
          scope: "owner",
          client,
          market: name,
        }),
      ];
    }
    case "cancel":
    case "amend": {
      const rows = live();
      if (rows.length === 0) return [];
      const row = rows[step.at % rows.length]!;
      const owner = v.nameOf(positions.account[orders.position[row]!]!);
      if (step.kind === "cancel") return [v.cancel(owner, orders.id[row]!)];
      const price = `${Math.max(1, orders.price[row]! + step.off)}`;
      return [v.amend(owner, orders.id[row]!, { price, ...(step.lots === 0 ? {} : { size: `${step.lots}` }) })];
    }
    case "close":
      return [v.close(step.who, { slippage: "0.05", market: step.market })];
    case "leverage":
      return [v.leverage(step.who, step.leverage, step.market)];
    case "withdraw":
      return [v.withdraw(step.who, `${step.amount}`)];
    case "transfer":
      return [v.transfer(step.who, step.to, `${step.amount}`)];
    case "cancelAll":
      return [v.cancelAll(step.who)];
    case "noop":
      return [v.act(step.who, "noop", {}, step.nonce === undefined ? {} : { nonce: step.nonce })];
  }
}
