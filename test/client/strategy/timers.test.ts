import { describe, expect, test } from "vitest";
import { Timers } from "../../../src/client/strategy/timers.ts";
import { Random } from "../../../src/ground/math/random.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1, 0, 30);

describe("a timer", () => {
  test("is due on the clock, once for all times that have passed since the last block", () => {
    const timers = new Timers();
    timers.every("1h", "hourly", START);
    expect(timers.dueMs).toBe(START + HOUR / 2);
    expect(timers.take(timers.dueMs - 1)).toEqual([]);
    expect(timers.take(timers.dueMs)).toEqual([{ name: "hourly", timeMs: START + HOUR / 2, missed: 0 }]);
    expect(timers.take(START + 4.7 * HOUR)).toEqual([{ name: "hourly", timeMs: START + 4.5 * HOUR, missed: 3 }]);
    expect(timers.dueMs).toBe(START + 5.5 * HOUR);
  });

  test("is called once after a span or at a time, and not when it was stopped or replaced", () => {
    const timers = new Timers();
    timers.after("90s", "soon", START);
    timers.at(START + 100, "first", START);
    timers.at(START + 100, "second", START);
    timers.at(START + 200, "first", START);
    expect(timers.stop("second")).toBe(true);
    expect(timers.stop("second")).toBe(false);
    expect(timers.take(START + HOUR)).toEqual([
      { name: "first", timeMs: START + 200, missed: 0 },
      { name: "soon", timeMs: START + 90_000, missed: 0 },
    ]);
    expect(timers.dueMs).toBe(Number.POSITIVE_INFINITY);
  });

  test("is called or missed at every multiple of its span, however blocks come", () => {
    const random = Random.ofSeed([7]);
    const timers = new Timers();
    timers.every("5m", "t", START + 1);
    let [now, count] = [START + 1, 0];
    for (let block = 0; block < 500; block++) {
      now += 1 + random.below(900_000);
      for (const { timeMs, missed } of timers.take(now)) {
        expect(timeMs).toBeLessThanOrEqual(now);
        expect(timeMs % 300_000).toBe(0);
        count += 1 + missed;
      }
      expect(timers.dueMs).toBeGreaterThan(now);
    }
    expect(count).toBe(Math.floor(now / 300_000) - Math.floor(START / 300_000));
  });

  test("is one of those of a plain list, which are set, stopped, replaced and taken in any order", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = Random.ofSeed([seed, 17]);
      const timers = new Timers();
      let plain: { name: string; dueMs: number }[] = [];
      for (let [step, now] = [0, START]; step < 200; step++) {
        const name = `t${random.below(5)}`;
        if (random.chance(1, 2)) {
          const dueMs = now + 1 + random.below(6);
          timers.at(dueMs, name, now);
          const known = plain.find((one) => one.name === name);
          if (known === undefined) plain.push({ name, dueMs });
          else known.dueMs = dueMs;
        } else if (random.chance(1, 4)) {
          expect(timers.stop(name)).toBe(plain.some((one) => one.name === name));
          plain = plain.filter((one) => one.name !== name);
        }
        expect(timers.dueMs).toBe(Math.min(Number.POSITIVE_INFINITY, ...plain.map(({ dueMs }) => dueMs)));
        if (random.chance(1, 2)) continue;
        now += random.below(4);
        const due = plain.filter(({ dueMs }) => dueMs <= now).sort((a, b) => a.dueMs - b.dueMs);
        expect(timers.take(now)).toEqual(due.map((one) => ({ name: one.name, timeMs: one.dueMs, missed: 0 })));
        plain = plain.filter(({ dueMs }) => dueMs > now);
      }
    }
  });

  test("is refused without a span, too often, or in the past", () => {
    const timers = new Timers();
    const invalid = expect.objectContaining({ code: "TIMER_INVALID", place: "x" });
    expect(() => timers.every("1 hour", "x", START)).toThrow(invalid);
    expect(() => timers.every("999ms", "x", START)).toThrow(invalid);
    expect(() => timers.after(0, "x", START)).toThrow(invalid);
    expect(() => timers.at(START, "x", START)).toThrow(invalid);
    expect(() => timers.at(START + 0.5, "x", START)).toThrow(invalid);
    for (let at = 0; at < 1_000; at++) timers.after("1h", `t${at}`, START);
    expect(() => timers.after("1h", "x", START)).toThrow(invalid);
  });
});
