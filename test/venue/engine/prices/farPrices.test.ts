import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMIT, PPB, PPM } from "../../../../src/ground/math/fixed.ts";
import type { MarketParameters } from "../../../../src/protocol/parameters.ts";
import { SIDE } from "../../../../src/protocol/words.ts";
import { computeWorstPrice } from "../../../../src/venue/engine/actions/checkOrder.ts";
import { computeBandHigh } from "../../../../src/venue/engine/prices/priceBand.ts";

const TICKS_MOST = 2_147_483_647n;
const price = fc.oneof(
  fc.integer({ min: 1, max: LIMIT }),
  fc.integer({ min: 0, max: 1_000 }).map((below) => LIMIT - below),
);
const tick = fc.oneof(
  fc.constantFrom(1, 3, 10, 99_999_999, 1e8, 7e9, 1e12),
  fc.integer({ min: 4_000_000, max: 5_000_000 }),
);

function clampTicks(ticks: bigint): number {
  return Number(ticks < 1n ? 1n : ticks > TICKS_MOST ? TICKS_MOST : ticks);
}

// Goal: where mark * (1 + slippage) is beyond what is storable, the worst price is still the tick that the rule says.
test("a worst price is the last tick within the bound, for any mark (ORD-1)", () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 1, max: PPB }), tick, (mark, slippage, tickSize) => {
      const rules = { tickSize } as MarketParameters;
      const step = BigInt(PPB) * BigInt(tickSize);
      const buy = (BigInt(mark) * BigInt(PPB + slippage)) / step;
      const sell = (BigInt(mark) * BigInt(PPB - slippage) + step - 1n) / step;
      expect(computeWorstPrice(rules, SIDE.buy, mark, slippage)).toBe(clampTicks(buy));
      expect(computeWorstPrice(rules, SIDE.sell, mark, slippage)).toBe(clampTicks(sell));
    }),
    { numRuns: 2000 },
  );
});

// Goal: the band holds the ticks that the rule says, as `isInBand` compares them, also beyond 2^53.
test("the last tick within the band is in it and the next one is not, for any price (ORD-5)", () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: PPM }), tick, (index, band, tickSize) => {
      const last = (BigInt(index) * BigInt(PPM + band)) / (BigInt(PPM) * BigInt(tickSize));
      fc.pre(last < TICKS_MOST);
      const high = computeBandHigh(index, index, band, tickSize);
      expect(Number(last) * tickSize <= high).toBe(true);
      expect((Number(last) + 1) * tickSize <= high).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
