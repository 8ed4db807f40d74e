/** A thread that may report the CPU time that it has used so far, us. Node reports it from 24.6 on. */
export interface MeasuredThread {
  cpuUsage?(): Promise<{ readonly user: number; readonly system: number }>;
}

/** Part of a core below which a thread does not work but waits for something. */
const WAITS = 0.01;

/**
 * Calls back when a thread has worked for a time, in CPU time, so that a busy machine ends no job. A thread that only
 * waits is over the limit when that much time has passed; so is one whose CPU time is not reported.
 *
 * @returns ends the limit
 */
export function limitJob(thread: MeasuredThread, limitMs: number, onOver: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const begin = readCpuMs(thread);
  const wait = (ms: number, usedMs: number) => {
    if (hasEnded) return;
    timer = setTimeout(async () => {
      const used = await readCpuMs(thread);
      const first = await begin;
      if (hasEnded) return;
      if (used === undefined || first === undefined) return onOver();
      const nowMs = used - first;
      if (nowMs >= limitMs || nowMs - usedMs < ms * WAITS) onOver();
      else wait(limitMs - nowMs, nowMs);
    }, Math.ceil(ms));
  };
  wait(limitMs, 0);
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

/** Undefined where it is not reported, or the thread is gone. */
async function readCpuMs(thread: MeasuredThread): Promise<number | undefined> {
  try {
    const used = await thread.cpuUsage?.();
    return used === undefined ? undefined : (used.user + used.system) / 1000;
  } catch {
    return undefined;
  }
}
