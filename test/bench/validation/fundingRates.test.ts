import { expect, test } from "vitest";
import { compareFunding, type FundingRow } from "../../../bench/validation/fundingRates/measure.ts";
import { describeFunding } from "../../../bench/validation/fundingRates/section.ts";

const row = (funding_rate: string, premium: string, hour = 0): FundingRow => {
  return { time_ms: `${hour * 3_600_000}`, funding_rate, premium };
};

test("a premium within the clamp pays an eighth of the interest, one beyond it an eighth of the rest", () => {
  const { equal, parts, hours } = compareFunding("BTC", [
    row("0.0000125", "0.0002"),
    row("0.0000125", "-0.0003"),
    row("0.0002326647", "0.0023613179"), // BTC at Hyperliquid, 2025-10-10 22:00 UTC
    row("-0.0003855844", "-0.0035846753"), // ETH at the same time
  ]);
  expect({ equal, hours, parts }).toEqual({ equal: 4, hours: 4, parts: { interest: 2, clamped: 2, bounded: 0 } });
});

test("a rate at the bound is one that the bound cut", () => {
  expect(compareFunding("BTC", [row("0.009375", "5")])).toMatchObject({ equal: 1, parts: { bounded: 1 } });
});

test("a planted unit of the last digit has its class, and a planted rate of another sign is listed", () => {
  const compared = compareFunding("BTC", [row("0.000012501", "0.0002"), row("-0.0000125", "0.0002", 3)]);
  expect(compared).toMatchObject({ equal: 0, lastDigit: 1 });
  expect(compared.other).toEqual([{ timeMs: 3 * 3_600_000, recorded: "-0.0000125", computed: "0.0000125" }]);
  const { result, text } = describeFunding([compared]);
  expect(result).toContain("1 of 2 hours");
  expect(text).toContain("| BTC | 1970-01-01 03:00 UTC | -0.0000125 | 0.0000125 |");
});
