import { expect, test, vi } from "vitest";
import { systemClock } from "../../../src/client/sdk/clock.ts";

test.each([-86_400_000, 86_400_000])("a wall clock that is set by %i ms changes no age and no deadline", (ms) => {
  const before = systemClock.nowMs();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  const ageMs = systemClock.nowMs() - before;
  expect(ageMs).toBeGreaterThanOrEqual(0);
  expect(ageMs).toBeLessThan(60_000);
});

test("a venue that asks for a wait longer than a timer is not asked again at once", async () => {
  vi.useFakeTimers();
  const set = vi.spyOn(globalThis, "setTimeout");
  void systemClock.sleep(1e13);
  expect(set.mock.calls[0]![1]).toBe(2 ** 31 - 1);
});
