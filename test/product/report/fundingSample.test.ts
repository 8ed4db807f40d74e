import fc from "fast-check";
import { expect, test } from "vitest";
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../src/ground/math/fixed.ts";
import type { FundingInput } from "../../../src/product/report/input.ts";
import { EventSample } from "../../../src/product/report/recording/eventSample.ts";
import { FundingSample } from "../../../src/product/report/recording/fundingSample.ts";

const paymentOf = (place: number): FundingInput => ({
  timeMs: 1_700_000_000_000 + place * 3_600_000,
  market: place % 3,
  rate: (place - 50) as Ppb,
  amount: (place % 2 === 0 ? -place : place * 1_000_000_007) as Amount,
  size: (place * 12_345_678) as SizeE8,
  mark: (4_200_000_000_000 + place) as PriceE8,
  index: (4_200_000_000_000 - place) as PriceE8,
});

test("the kept payments are those that a sample of events keeps, whatever their number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_300 }), fc.integer({ min: 1, max: 600 }), (count, most) => {
      const plain = new EventSample<FundingInput>(most);
      const columns = new FundingSample(most);
      for (let place = 0; place < count; place++) {
        plain.push(paymentOf(place));
        columns.push(paymentOf(place));
      }
      expect(columns.events).toEqual(plain.events);
    }),
    { numRuns: 60 },
  );
});

test("a payment object that is used again does not change what was kept", () => {
  const sample = new FundingSample(10);
  const payment = { ...paymentOf(1) };
  sample.push(payment);
  Object.assign(payment, paymentOf(2));
  sample.push(payment);
  expect(sample.events).toEqual([paymentOf(1), paymentOf(2)]);
});
