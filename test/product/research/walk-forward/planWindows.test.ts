import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planWindows, type WindowPlan } from "../../../../src/product/research/walk-forward/planWindows.ts";

const DAY = 86_400_000;

function daysOf(
  plan: Omit<WindowPlan, "fromMs" | "toMs" | "trainMs" | "testMs"> & { days: number; train: number; test: number },
) {
  const { days, train, test, ...rest } = plan;
  return planWindows({ fromMs: 0, toMs: days * DAY, trainMs: train * DAY, testMs: test * DAY, ...rest }).map((window) =>
    [window.train.fromMs, window.train.toMs, window.test.fromMs, window.test.toMs].map((timeMs) => timeMs / DAY),
  );
}

describe("windows of a walk-forward", () => {
  it("move with the test", () => {
    expect(daysOf({ days: 100, train: 50, test: 20 })).toEqual([
      [0, 50, 50, 70],
      [20, 70, 70, 90],
    ]);
  });

  it("begin where the data begins if they are anchored", () => {
    expect(daysOf({ days: 100, train: 50, test: 20, anchored: true })).toEqual([
      [0, 50, 50, 70],
      [0, 70, 70, 90],
    ]);
  });

  it("leave out the end of training and the time before the test", () => {
    expect(daysOf({ days: 100, train: 50, test: 20, purgeMs: 2 * DAY, embargoMs: 3 * DAY })).toEqual([
      [0, 48, 53, 73],
      [20, 68, 73, 93],
    ]);
  });

  it.each([
    ["more training than data", { days: 60, train: 50, test: 20 }, "train"],
    ["a purge as long as training", { days: 100, train: 5, test: 20, purgeMs: 5 * DAY }, "purge"],
    ["tests that overlap", { days: 100, train: 5, test: 20, stepMs: DAY }, "step"],
    ["a test without length", { days: 100, train: 5, test: 0 }, "test"],
    ["thousands of windows", { days: 3_000, train: 1, test: 1 }, "test"],
  ])("are refused for %s", (_, plan, place) => {
    expect(() => daysOf(plan)).toThrow(expect.objectContaining({ code: "WINDOWS_INVALID", place, exitCode: 2 }));
  });

  it("never let training see its test, nor a test see another", () => {
    const day = (most: number, least = 0) => fc.integer({ min: least, max: most }).map((days) => days * DAY);
    const plans = fc.record({
      trainMs: day(40, 2),
      testMs: day(20, 1),
      purgeMs: fc.constantFrom(0, DAY),
      embargoMs: day(5),
      anchored: fc.boolean(),
    });
    fc.assert(
      fc.property(plans, day(20), (plan, more) => {
        const windows = planWindows({ fromMs: 7, toMs: 7 + 400 * DAY, stepMs: plan.testMs + more, ...plan });
        for (const [place, { train, test }] of windows.entries()) {
          expect(train.fromMs).toBeGreaterThanOrEqual(7);
          expect(train.toMs).toBeGreaterThan(train.fromMs);
          expect(test.fromMs - train.toMs).toBe(plan.purgeMs + plan.embargoMs);
          expect(test.toMs).toBeLessThanOrEqual(7 + 400 * DAY);
          if (place > 0) expect(test.fromMs).toBeGreaterThanOrEqual(windows[place - 1]!.test.toMs);
        }
      }),
    );
  });
});
