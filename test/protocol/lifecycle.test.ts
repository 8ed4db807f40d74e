import { expect, test } from "vitest";
import { isOpening, isReachable, LIFECYCLE, PLACING, placingOf } from "../../src/protocol/lifecycle.ts";
import { isParameterFault } from "../../src/protocol/parameterFault.ts";
import { readMarketParameters } from "../../src/protocol/readParameters.ts";
import { MARKET_STATUS, MARKET_STATUSES } from "../../src/protocol/words.ts";

const rulesOf = (status: string) => {
  const read = readMarketParameters("linear", { status });
  if (isParameterFault(read)) throw new Error(read.reason);
  return read;
};

test("a market goes forward, back only to active, and never leaves settlement", () => {
  const steps = MARKET_STATUSES.map((from) =>
    MARKET_STATUSES.filter((to) => from !== to && isReachable(MARKET_STATUS[from], MARKET_STATUS[to])),
  );
  expect(Object.fromEntries(MARKET_STATUSES.map((from, place) => [from, steps[place]]))).toEqual({
    initializing: ["postOnly"],
    postOnly: ["active"],
    active: ["cancelOnly", "reduceOnly", "halted", "settling"],
    cancelOnly: ["active", "settling"],
    reduceOnly: ["active", "settling"],
    halted: ["active", "settling"],
    settling: [],
    settled: [],
  });
  for (const status of MARKET_STATUSES) expect(isReachable(MARKET_STATUS[status], MARKET_STATUS[status])).toBe(true);
});

test("a market starts before or in trading", () => {
  expect(MARKET_STATUSES.filter((status) => isOpening(MARKET_STATUS[status]))).toEqual([
    "initializing",
    "postOnly",
    "active",
  ]);
});

test("the stored number of the orders that may enter is that of the table", () => {
  for (const status of MARKET_STATUSES) expect(placingOf(rulesOf(status))).toBe(PLACING[LIFECYCLE[status].placing]);
});
