import { expect, test } from "vitest";
import { joinWords } from "../../../../src/venue/simulation/explain/joinWords.ts";

test.each([
  [{ baseHigh: 0, baseLow: 1_500_000 }, { base: "1.5" }],
  [{ baseHigh: 465, baseLow: 4_294_967_295 }, { base: "2001454.759935" }],
  [{ fundingHigh: -1, fundingLow: 4_294_967_295 }, { funding: "-1" }],
  [
    { indexHigh: 2, indexLow: 3, rate: "0.1" },
    { index: "8589934595", rate: "0.1" },
  ],
  [
    { sum: 1, sumHigh: 2 },
    { sum: 1, sumHigh: 2 },
  ],
])("the halves of %j are one number", (fields, joined) => {
  expect(joinWords(fields)).toEqual(joined);
});

test("the words of an address are one text", () => {
  const words = Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`w${at}`, `0x0000000${at}`]));
  expect(joinWords(words)).toEqual({ address: "0x0000000000000001000000020000000300000004" });
});
