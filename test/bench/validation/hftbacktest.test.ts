import { expect, test } from "vitest";
import { classifyQuote, type FillClass, type OwnFills } from "../../../bench/validation/hftbacktest/compare.ts";
import { compareQuotes, sumTradedBefore } from "../../../bench/validation/hftbacktest/measure.ts";
import { planQuotes } from "../../../bench/validation/hftbacktest/schedule.ts";

test("the plan has the last reported prices before each time", () => {
  const quotes = [
    { transaction_ms: "900", bid_px: "99.9", ask_px: "100.0" },
    { transaction_ms: "1999", bid_px: "100.1", ask_px: "100.2" },
    { transaction_ms: "2001", bid_px: "100.3", ask_px: "100.4" },
    { transaction_ms: "4500", bid_px: "100.5", ask_px: "100.6" },
  ];
  expect(planQuotes(quotes, 1_000, 0.1)).toEqual([
    [1_000, 999, 1_000],
    [2_000, 1_001, 1_002],
    [3_000, 1_003, 1_004],
    [4_000, 1_003, 1_004],
  ]);
});

const WHOLE: OwnFills = [[50, 0.01]];
const PARTS: OwnFills = [
  [50, 0.004],
  [60, 0.006],
];

test.each<[FillClass, OwnFills, number]>([
  ["sameTime", WHOLE, 50],
  ["sameTime", PARTS, 60],
  ["firstPart", PARTS, 50],
  ["otherTime", WHOLE, 51],
  ["partHere", PARTS.slice(0, 1), 50],
  ["onlyThere", [], 50],
  ["onlyHere", WHOLE, 0],
  ["refusedThere", PARTS.slice(0, 1), -1],
  ["neither", [], 0],
  ["neither", [], -1],
])("a quote is of class %s", (name, ours, theirs) => {
  expect(classifyQuote(ours, theirs, 0.01)).toBe(name);
});

test("a planted fill of another time is counted and listed, and equal ones are not", () => {
  const plan = [
    [1_000, 10, 11],
    [2_000, 10, 11],
  ] as const;
  const ours: OwnFills[] = [WHOLE, [], [], [[2_500, 0.01]]];
  expect(compareQuotes(plan, ours, [50, 0, 0, 2_500])).toMatchObject({
    here: { filled: 2, size: 0.02 },
    classes: { sameTime: 2, neither: 2 },
    others: [],
  });
  const planted = compareQuotes(plan, ours, [50, 0, 1_700, 2_600]);
  expect(planted.classes).toMatchObject({ sameTime: 1, onlyThere: 1, otherTime: 1, neither: 1 });
  expect(planted.others).toEqual([
    { timeMs: 2_000, side: "bid", class: "onlyThere", firstHereMs: null, thereMs: 1_700 },
    { timeMs: 2_000, side: "ask", class: "otherTime", firstHereMs: 2_500, thereMs: 2_600 },
  ]);
});

test("trades on the way of a quote count until the change of their level is recorded", () => {
  const depth = [
    { transaction_ms: "10", price: "100.10" },
    { transaction_ms: "20", price: "100.00" },
    { transaction_ms: "40", price: "100.10" },
  ];
  const trade = (trade_ms: string, price: string, qty: string, buyer_is_maker = "false") => ({
    trade_ms,
    price,
    qty,
    buyer_is_maker,
  });
  const trades = [
    trade("10", "100.10", "1"), // the level has it
    trade("15", "100.10", "0.2", "true"),
    trade("25", "100.00", "0.05"), // an ask that a bid at 100.1 would have met
    trade("26", "100.00", "3", "true"), // a bid below it
    trade("30", "100.10", "0.013"),
    trade("30", "100.20", "5"), // an ask above it
    trade("31", "100.10", "7"), // after the arrival
  ];
  const quote = { isBid: true, price: 100.1, arrivalMs: 30 };
  expect(sumTradedBefore({ depth, trades }, quote)).toBe(0.263);
  expect(sumTradedBefore({ depth, trades }, { ...quote, isBid: false })).toBe(0.213);
});
