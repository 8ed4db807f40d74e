/** Orders of accounts below their initial margin that reduce, close or turn a position (MRG-4, decision 0023). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDecimal } from "../../../../src/ground/math/decimal.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { Health } from "../../../../src/venue/engine/state/health.ts";
import { TestVenue } from "../../../helpers/venue.ts";
import type { ExactHolding } from "../../../reference/exactMargin.ts";
import { judgePlainly } from "../../../reference/plainFlip.ts";

const TIERS = [
  { tier1: "0 0.1 0.05" },
  { tier1: "0 0.333333 0.111111", tier2: "777.7 0.5 0.25" },
  { tier1: "0 0.04 0.02", tier2: "1000 0.06 0.03", tier3: "2500 0.2 0.1" },
];

const flips = fc.record({
  tiers: fc.nat(TIERS.length - 1),
  leverage: fc.constantFrom(0, 0, 2, 3),
  takerFee: fc.constantFrom("0", "0.0005", "0.003333"),
  short: fc.boolean(),
  open: fc.integer({ min: 1, max: 40 }),
  /** Signed lots in the second market. */
  elsewhere: fc.integer({ min: -15, max: 15 }),
  extra: fc.integer({ min: 0, max: 40 }),
  /** How far the mark moves against the position, in thousandths. */
  moved: fc.integer({ min: 5, max: 90 }),
  buys: fc.integer({ min: 0, max: 12 }),
  sells: fc.integer({ min: 0, max: 12 }),
  size: fc.integer({ min: 1, max: 90 }),
  /** Ticks of the worst price beyond the mark. */
  beyond: fc.integer({ min: -1, max: 5 }),
  reduceOnly: fc.boolean(),
  timeInForce: fc.constantFrom("GTC" as const, "IOC" as const, "FOK" as const),
});
type Flip = typeof flips extends fc.Arbitrary<infer T> ? T : never;

/** A venue whose alice is below her initial margin, or undefined where she is not. */
function open(flip: Flip): TestVenue | undefined {
  const { short, open, elsewhere, moved, takerFee } = flip;
  const market = {
    markMethod: "oracle",
    markClamp: "0.009",
    lotSize: "0.37",
    minSize: "0.37",
    takerFee,
    pauseLiquidate: "on",
    ...TIERS[flip.tiers],
  } as const;
  const sides = (buys: boolean) => (buys ? (["buy", "sell"] as const) : (["sell", "buy"] as const));
  const size = (lots: number) => formatDecimal(lots * 37, 2);
  const trade = (v: TestVenue, name: string, lots: number) => {
    const [own, other] = sides(lots > 0);
    v.do(v.order("bob", other, size(Math.abs(lots)), "100", { market: name }));
    v.do(v.order("alice", own, size(Math.abs(lots)), "100", { market: name }));
  };
  const v = new TestVenue({
    markets: { TEST: market, OTHER: { ...market, tier1: "0 0.1 0.05", tier2: "", tier3: "" } },
    accounts: { alice: "100000", bob: "10000000" },
    prices: { TEST: "100", OTHER: "100" },
  });
  if (flip.leverage !== 0) v.do(v.leverage("alice", flip.leverage));
  trade(v, "TEST", short ? -open : open);
  if (elsewhere !== 0) trade(v, "OTHER", elsewhere);
  if (flip.buys > 0) v.do(v.buy("alice", size(flip.buys), short ? "98" : "82"));
  if (flip.sells > 0) v.do(v.sell("alice", size(flip.sells), short ? "118" : "102"));
  const { initial, notional } = v.health("alice");
  const kept = Math.max(initial, Math.ceil(notional / 10)) + flip.extra * 1_000_001;
  v.do(v.withdraw("alice", formatDecimal(v.health("alice").equity - kept, 6)));
  const target = (short ? 1000 + moved : 1000 - moved) / 10;
  for (let block = 0; block < 12; block++) v.run(v.price(`${target}`));
  const health: Health = v.health("alice");
  return health.equity < health.initial ? v : undefined;
}

function holdings(v: TestVenue): ExactHolding[] {
  const { positions } = v.state;
  const rowOf = (name: string) => positions.signedLots.length > 0 && v.lots("alice", name) !== 0;
  return ["TEST", "OTHER"].filter(rowOf).map((name) => {
    const at = v.positionRow("alice", name);
    const { lotSize, tiers } = v.state.parameters[v.marketRow(name)]!;
    const lots = (count: number) => BigInt(count) * BigInt(lotSize);
    return {
      size: lots(positions.signedLots[at]!),
      mark: BigInt(v.mark(name)),
      cost: BigInt(positions.cost[at]!),
      funding: 0n,
      leverage: BigInt(positions.leverage[at]!),
      buys: lots(positions.buys[at]!),
      sells: lots(positions.sells[at]!),
      buyOrderCost: BigInt(positions.buyOrderCost[at]!),
      sellOrderCost: BigInt(positions.sellOrderCost[at]!),
      tiers: tiers.map(({ from, initialRate, maintenanceRate }) => ({
        from: BigInt(from),
        initial: BigInt(initialRate),
        maintenance: BigInt(maintenanceRate),
      })),
    };
  });
}

interface Measured {
  readonly equity: number;
  readonly initial: number;
  readonly maintenance: number;
}

/** The rule after a part: both margins to the unit, the ratio but for 2 units of each (decision 0023). */
function expectNoWorse(then: Measured, now: Measured, whole: boolean): void {
  expect(now.initial).toBeLessThanOrEqual(then.initial);
  expect(now.maintenance).toBeLessThanOrEqual(then.maintenance);
  const units = whole ? 0n : 2n;
  const [left, right] = [
    (BigInt(now.equity) + units) * BigInt(then.maintenance),
    BigInt(then.equity) * (BigInt(now.maintenance) - units),
  ];
  expect(left >= right).toBe(true);
}

// Goal: the engine accepts what the rulebook accepts, and every part of what it accepts leaves the account no worse.
// Method: a plain judgement in big integers; then each part is offered at the worst price, in a venue of its own.
test("every part of an accepted order leaves its account no worse", () => {
  const reached = new Map<string, number>();
  const note = (name: string) => reached.set(name, (reached.get(name) ?? 0) + 1);
  fc.assert(
    fc.property(flips, (flip) => {
      const v = open(flip);
      fc.pre(v !== undefined);
      const base = v.state;
      const { reduceOnly, short, timeInForce } = flip;
      const lots = reduceOnly ? Math.min(flip.size, flip.open) : flip.size;
      const tick = Math.round(v.mark() / 1e8) + (short ? flip.beyond : -flip.beyond);
      const size = (count: number) => formatDecimal(count * 37, 2);
      const [side, other] = short ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      const judged = judgePlainly(BigInt(base.accounts.collateral[v.row("alice")]!), holdings(v), {
        at: 0,
        buys: short,
        size: BigInt(lots) * 37_000_000n,
        price: BigInt(tick) * 100_000_000n,
        fee: BigInt(base.parameters[v.marketRow()]!.takerFee),
        reduceOnly,
      });
      const then: Measured = { ...v.health("alice") };
      expect(then.equity).toBe(Number(judged.before.equity));
      const options = { tif: timeInForce, reduceOnly };
      const send = (offered: number) => {
        v.state = forkState(base);
        if (offered > 0) v.do(v.order("bob", other, size(offered), `${tick}`));
        return v.run(v.order("alice", side, size(lots), `${tick}`, options)).receipts[0]!;
      };
      const { code, numbers } = send(0);
      expect(code).toBe(judged.accepted ? undefined : "INSUFFICIENT_MARGIN");
      if (!judged.accepted) {
        const { orderCost, requiredResting, requiredFilled, equityFilled, maintenanceFilled } = judged;
        expect(numbers).toMatchObject({
          equity: then.equity,
          required: then.initial,
          maintenance: then.maintenance,
          orderCost: Number(orderCost),
          ...(reduceOnly ? {} : { requiredResting: Number(requiredResting) }),
          equityFilled: Number(equityFilled),
          requiredFilled: Number(requiredFilled),
          maintenanceFilled: Number(maintenanceFilled),
        });
        note("refused");
        return;
      }
      for (let part = 1; part <= lots; part += lots > 20 ? 1 + (part % 5) : 1) {
        expect(send(part).code).toBe(undefined);
        const filled = Math.abs(v.lots("alice") - (short ? -flip.open : flip.open));
        expect(filled).toBe(timeInForce === "FOK" && part < lots ? 0 : part);
        expectNoWorse(then, v.health("alice"), part === lots);
        note(part < flip.open ? "below zero" : part === flip.open ? "at zero" : "beyond zero");
      }
      note(`whole ${lots > flip.open ? "turns" : "reduces"}`);
    }),
    { numRuns: 150 },
  );
  // A property that never gets to the interesting outcomes proves nothing.
  for (const name of ["refused", "below zero", "at zero", "beyond zero", "whole turns", "whole reduces"])
    expect(reached.get(name) ?? 0, name).toBeGreaterThan(5);
});
