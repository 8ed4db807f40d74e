import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { limitJob } from "../../../../src/proof/fuzz/campaign/jobLimit.ts";

describe("the limit of a job", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A thread that gets a part of a core. */
  function busyThread(part: number) {
    const start = Date.now();
    return {
      cpuUsage: async () => ({ user: (Date.now() - start) * part * 900, system: (Date.now() - start) * part * 100 }),
    };
  }

  test("is of CPU time: a thread with a tenth of a core has ten times as long", async () => {
    const onOver = vi.fn();
    limitJob(busyThread(0.1), 1000, onOver);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(onOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("does not count what the thread has used before", async () => {
    const onOver = vi.fn();
    const thread = busyThread(1);
    await vi.advanceTimersByTimeAsync(5_000);
    limitJob(thread, 1000, onOver);
    await vi.advanceTimersByTimeAsync(990);
    expect(onOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("ends a thread that waits for ever", async () => {
    const onOver = vi.fn();
    limitJob({ cpuUsage: async () => ({ user: 5000, system: 0 }) }, 1000, onOver);
    await vi.advanceTimersByTimeAsync(1_010);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test.each([
    ["does not report its CPU time", {}],
    ["is gone", { cpuUsage: () => Promise.reject(new Error("not running")) }],
  ])("is the time that passes where the thread %s", async (_, thread) => {
    const onOver = vi.fn();
    limitJob(thread, 1000, onOver);
    await vi.advanceTimersByTimeAsync(990);
    expect(onOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(onOver).toHaveBeenCalledOnce();
  });

  test("is over when the job has ended", async () => {
    const onOver = vi.fn();
    const end = limitJob(busyThread(1), 1000, onOver);
    await vi.advanceTimersByTimeAsync(500);
    end();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(onOver).not.toHaveBeenCalled();
  });
});

test("a thread that never returns is over its limit", async () => {
  const worker = new Worker("for (;;);", { eval: true });
  await new Promise<void>((resolve) => limitJob(worker, 50, resolve));
  await worker.terminate();
});
