import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseOutage, parseOutageFile } from "../../../../src/product/backtest/link/outageFile.ts";
import { type Outage, OutageTimes, readOutages } from "../../../../src/product/backtest/link/outages.ts";
import { formatRateLimits, RateGate, readRateLimits } from "../../../../src/product/backtest/link/rateLimit.ts";

const NOON = Date.UTC(2024, 2, 5, 12);
const MINUTE = 60_000;

describe("rate limits", () => {
  test("in no interval of any limit more transactions pass, and one that could pass does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 })), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.array(fc.nat(30), { maxLength: 60 }),
        (given, gaps) => {
          const limits = given.map(([count, intervalMs]) => ({ count, intervalMs }));
          const gate = new RateGate(limits);
          const passed: number[] = [];
          let timeMs = 1_000;
          for (const gap of gaps) {
            timeMs += gap;
            const isRoom = limits.every(({ count, intervalMs }) => {
              const interval = Math.floor(timeMs / intervalMs);
              return passed.filter((at) => Math.floor(at / intervalMs) === interval).length < count;
            });
            expect(gate.admit(timeMs)).toBe(isRoom);
            if (isRoom) passed.push(timeMs);
          }
        },
      ),
    );
  });

  test("they are read as they are typed", () => {
    const limits = [
      { count: 300, intervalMs: 10_000 },
      { count: 1_200, intervalMs: MINUTE },
    ];
    expect(readRateLimits("rate-limit", "300/10s, 1200/1m")).toEqual(limits);
    expect(readRateLimits("rate-limit", formatRateLimits(limits))).toEqual(limits);
  });

  test.each([
    "",
    "10",
    "10/s",
    "0/1s",
    "-1/1s",
    "1/0s",
    "1.5/1s",
    "1/1s,",
    "1/1y",
    "1/99999d",
    `${"1/1s,".repeat(8)}1/1s`,
  ])("%j is refused", (text) => {
    expect(() => readRateLimits("rate-limit", text)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", place: "rate-limit" }),
    );
  });
});

describe("outages", () => {
  test("a message comes through at its time, or at the end of every outage that it falls into", () => {
    const outage = fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 20 }), fc.constantFrom("submit", "feed", "all"));
    fc.assert(
      fc.property(fc.array(outage, { maxLength: 8 }), fc.array(fc.nat(130), { maxLength: 20 }), (drawn, times) => {
        const given = drawn.map(
          ([fromMs, length, stops]): Outage => ({ fromMs, toMs: fromMs + length, stops: stops as "all" }),
        );
        for (const direction of ["submit", "feed"] as const) {
          const own = given.filter(({ stops }) => stops === "all" || stops === direction);
          const found = new OutageTimes(readOutages("outage", given), direction);
          const isDown = (timeMs: number) => own.some(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs);
          for (const timeMs of times) {
            let free = timeMs;
            while (isDown(free)) free++;
            expect(found.release(timeMs)).toBe(free);
          }
          const down = Array.from({ length: 130 }, (_, timeMs) => timeMs).filter(isDown);
          expect(found.measure(0, 130)).toBe(down.length);
        }
      }),
    );
  });

  test("they are read as they are typed, and from a file", () => {
    const toMs = NOON + 20 * MINUTE;
    expect(parseOutage("--outage", "2024-03-05T12:00..2024-03-05T12:20")).toEqual({ fromMs: NOON, toMs, stops: "all" });
    expect(parseOutage("--outage", `${NOON} .. ${toMs}`)).toEqual({ fromMs: NOON, toMs, stops: "all" });
    expect(parseOutage("--outage", "2024-03-05T12:00:00Z..2024-03-05T12:20:feed")).toEqual({
      ...{ fromMs: NOON, toMs, stops: "feed" },
    });
    expect(parseOutageFile("--outage", "o.csv", `to,from,stops\n${toMs},2024-03-05 12:00,submit\n`)).toEqual([
      { fromMs: NOON, toMs, stops: "submit" },
    ]);
    expect(parseOutageFile("--outage", "o.csv", `from,to\r\n${NOON},${toMs}`)).toEqual([
      { fromMs: NOON, toMs, stops: "all" },
    ]);
  });

  test.each([
    "noon",
    "2024-03-05T12:00",
    "2024-03-05T12:00..soon",
    "soon..2024-03-05T12:00",
    "2024-03-05T12:20..2024-03-05T12:00",
    "2024-03-05T12:00..2024-03-05T12:00",
    "2024-03-05T12:00..2024-03-05T12:20:orders",
  ])("%s is refused", (text) => {
    expect(() => parseOutage("--outage", text)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", place: "--outage" }),
    );
  });

  test.each([
    ["", /o\.csv:1: the first line/],
    ["from,until\n1,2", /o\.csv:1: the first line/],
    ["from,to", /o\.csv:1: there is no outage/],
    ["from,to\n1,2\n3", /o\.csv:3: 1 values in place of 2/],
    ["from,to\n2,1", /o\.csv:2: it ends before it begins/],
    ["from,to\n,1", /o\.csv:2: "" is no time/],
    ["from,to,stops\n1,2,orders", /o\.csv:2: "orders" is not submit, feed, all/],
  ])("a file is refused with its line: %j", (text, message) => {
    expect(() => parseOutageFile("--outage", "o.csv", text)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringMatching(message) }),
    );
  });

  test.each([
    [[{ fromMs: 2, toMs: 2 }], /1 must end after it begins/],
    [[{ fromMs: 0.5, toMs: 2 }], /1 must end/],
    [[{ fromMs: 1, toMs: 2, stops: "orders" }], /must stop submit, feed, all/],
    [{ fromMs: 1 }, /no list/],
  ])("%j is refused", (given, message) => {
    expect(() => readOutages("outage", given as Outage[])).toThrow(message);
  });
});
