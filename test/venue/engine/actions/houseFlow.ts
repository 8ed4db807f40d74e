/** Flows of a house's quotes. */
import { describe, expect, test } from "vitest";
import { HOUSE_STEP } from "../../../../src/protocol/houseSteps.ts";
import { SIDE } from "../../../../src/protocol/words.ts";
import { flow, open, paused, refusals, status } from "./stage.ts";

const { quote, rest, clear, print, last, level, ahead } = HOUSE_STEP;

/** A step at each of so many prices from 99 down. */
const down = (count: number, kind: number, lots: number) =>
  Array.from({ length: count }, (_, place) => [kind, 99 - place, lots, SIDE.buy]);

refusals("houseFlow", [
  ["MARKET_NOT_FOUND", "no such market", (v) => flow(v, [[quote, 99, 5, SIDE.buy]], "NONE")],
  ["NOT_HOUSE", "a normal account", (v) => flow(v, [[quote, 99, 5, SIDE.buy]], "TEST", "alice")],
  ["NOT_HOUSE", "no account", (v) => flow(v, [[quote, 99, 5, SIDE.buy]], "TEST", "stranger")],
  ["STEPS_MALFORMED", "unknown kind", (v) => flow(v, [[7, 99, 5, 0]])],
  ["STEPS_MALFORMED", "half a kind", (v) => flow(v, [[level - 0.5, 99, 5, 0]])],
  ["STEPS_MALFORMED", "a negative kind", (v) => flow(v, [[-1, 99, 5, 0]])],
  ["STEPS_MALFORMED", "price zero", (v) => flow(v, [[quote, 0, 5, 0]])],
  ["STEPS_MALFORMED", "half a lot", (v) => flow(v, [[quote, 99, 0.5, 0]])],
  ["STEPS_MALFORMED", "no side", (v) => flow(v, [[quote, 99, 5, 2]])],
  ["STEPS_MALFORMED", "no number", (v) => flow(v, [[quote, Number.NaN, 5, 0]])],
  ["STEPS_MALFORMED", "cut short", (v) => flow(v, [[quote, 99, 5]])],
  [
    "STEPS_MALFORMED",
    "more orders than ids are set aside",
    (v) =>
      flow(
        v,
        Array.from({ length: 65 }, () => [rest, 99, 1, 0]),
      ),
  ],
  ["STEPS_MALFORMED", "more levels than ids are set aside", (v) => flow(v, down(65, level, 1))],
  [
    "STEPS_MALFORMED",
    "levels and depth together open more",
    (v) => flow(v, [...down(64, level, 1), [rest, 99, 1, SIDE.buy]]),
  ],
  ["NUMERIC_LIMIT", "a level of too many lots", (v) => flow(v, [[level, 99, 4.5e15 + 1, SIDE.buy]])],
  [
    "NUMERIC_LIMIT",
    "a level of too many lots with what rests",
    (v) => {
      v.do(flow(v, [[level, 98, 1, SIDE.buy]]));
      return flow(v, [[level, 99, 4.5e15, SIDE.buy]]);
    },
  ],
  ["MARKET_CLOSED", "halted", (v) => flow(v, [[quote, 99, 5, SIDE.buy]]), status("halted")],
  ["OPERATION_PAUSED", "trading is paused", (v) => flow(v, [[quote, 99, 5, SIDE.buy]]), paused("pauseTrade")],
]);

describe("an action is applied", () => {
  test("house flows quote, rest, clear, print and move the last price", () => {
    const v = open();
    v.do(
      flow(v, [
        [quote, 99, 5, SIDE.buy],
        [rest, 98, 7, SIDE.buy],
        [quote, 101, 5, SIDE.sell],
      ]),
    );
    expect(v.book()).toEqual(["buy 5@99 house", "buy 7@98 house", "sell 5@101 house"]);
    v.do(v.sell("alice", "3", "99"));
    // An unchanged price keeps its place, and prints shrink the house's own quote.
    v.do(
      flow(v, [
        [quote, 99, 4, SIDE.buy],
        [print, 99, 1, SIDE.sell],
        [clear, 1, 0, SIDE.sell],
        [last, 97, 0, 0],
      ]),
    );
    expect(v.book()).toEqual(["buy 3@99 house"]);
    expect(v.state.markets.last[v.marketRow()]).toBe(97);
    expect(v.lots("house")).toBe(3);
  });

  test("64 levels with a size, and any number of levels without one and of steps ahead", () => {
    const v = open();
    v.do(flow(v, down(64, level, 2)));
    expect(v.book()).toHaveLength(64);
    v.do(flow(v, [...down(70, ahead, 1), ...down(64, level, 3), ...down(30, level, 0)]));
    expect(v.book()).toHaveLength(34);
    expect(v.book()[0]).toBe("buy 3@69 house");
  });
});
