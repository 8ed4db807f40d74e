import fc from "fast-check";
import { expect, test } from "vitest";
import { type AttributionInput, computeAttribution } from "../../../src/product/report/attribution.ts";

const wide = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
const events = fc.record({
  initialEquity: wide,
  transfers: wide,
  realizedPnl: wide,
  unrealizedPnl: wide,
  funding: wide,
  tradingFees: wide,
  liquidationFees: wide,
  lossSocialized: wide,
  deficitCovered: wide,
});

/** The equity that an account must have after these events, as a ledger would add them. */
function settle(input: Omit<AttributionInput, "finalEquity">): bigint {
  const { initialEquity, transfers, realizedPnl, unrealizedPnl, funding } = input;
  const credits = initialEquity + transfers + realizedPnl + unrealizedPnl + funding + input.deficitCovered;
  return credits + input.lossSocialized - input.tradingFees - input.liquidationFees;
}

test("the result of a complete ledger is price + funding - fees - liquidation, to the unit", () => {
  fc.assert(
    fc.property(events, (input) => {
      const finalEquity = settle(input);
      const parts = computeAttribution({ ...input, finalEquity });
      expect(parts.residual).toBe(0n);
      expect(parts.price + parts.funding - parts.fees - parts.liquidation).toBe(parts.total);
      expect(parts.total).toBe(finalEquity - input.initialEquity - input.transfers);
    }),
  );
});

test("an event that is missing is the residual, to the unit", () => {
  const names = ["transfers", "realizedPnl", "funding", "tradingFees", "liquidationFees", "deficitCovered"] as const;
  fc.assert(
    fc.property(events, fc.constantFrom(...names), fc.bigInt({ min: 1n, max: 5n }), (input, name, missing) => {
      const finalEquity = settle(input);
      const paid = name === "tradingFees" || name === "liquidationFees";
      const parts = computeAttribution({ ...input, finalEquity, [name]: input[name] - missing });
      expect(parts.residual).toBe(paid ? -missing : missing);
    }),
  );
});

test("a hand-computed example", () => {
  const parts = computeAttribution({
    initialEquity: 1_000n,
    finalEquity: 1_150n,
    transfers: 100n,
    realizedPnl: 80n,
    unrealizedPnl: -10n,
    funding: -5n,
    tradingFees: 9n,
    liquidationFees: 4n,
    lossSocialized: -3n,
    deficitCovered: 1n,
  });
  expect(parts).toEqual({ price: 70n, funding: -5n, fees: 9n, liquidation: 6n, total: 50n, residual: 0n });
});
