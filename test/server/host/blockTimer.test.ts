import { beforeEach, expect, test, vi } from "vitest";
import { BlockTimer } from "../../../src/server/host/blockTimer.ts";

beforeEach(() => void vi.useFakeTimers());

test.each([1, 1_000, 2 ** 31 - 1, 2 ** 31, 1e12])("calls once every %i ms, and never in between", async (everyMs) => {
  // Node fires a timer of more than 2^31 - 1 ms at once.
  const set = vi.spyOn(globalThis, "setInterval");
  let calls = 0;
  const pulse = new BlockTimer(async () => void calls++);
  pulse.start(everyMs);
  const ms = set.mock.calls[0]![1]!;
  expect(ms).toBeLessThanOrEqual(2 ** 31 - 1);
  const ticks = Math.round(everyMs / ms);
  for (let tick = 0; tick < ticks - 1; tick++) await vi.advanceTimersToNextTimerAsync();
  expect(calls).toBe(0);
  await vi.advanceTimersToNextTimerAsync();
  expect(calls).toBe(1);
  pulse.stop();
  expect(vi.getTimerCount()).toBe(0);
});
