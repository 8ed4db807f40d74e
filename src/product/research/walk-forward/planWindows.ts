import { WalkForwardError } from "./errors.ts";

/** A span of time, milliseconds since 1970; the end is not part of it. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Parameters are chosen on `train` and tried on `test`, which begins no earlier than training ends. */
export interface Window {
  readonly train: Span;
  readonly test: Span;
}

/** How the data is cut into windows. Lengths in milliseconds, whole. */
export interface WindowPlan extends Span {
  readonly trainMs: number;
  readonly testMs: number;
  /** From the start of a test to the start of the next. Default: `testMs`, so that tests follow each other. */
  readonly stepMs?: number;
  /** All training begins at `fromMs`, and grows; otherwise it moves with the test. */
  readonly anchored?: boolean;
  /** Left out at the end of training: positions that are open there would end in what follows. */
  readonly purgeMs?: number;
  /** Left out between training and test. */
  readonly embargoMs?: number;
}

/** Windows of a plan at most. */
export const WINDOWS_MOST = 1_000;

/**
 * Cuts data into windows of training and test, in the order of time. Only whole tests are planned; what is left at the
 * end is not used.
 *
 * @throws {WalkForwardError} WINDOWS_INVALID
 */
export function planWindows(plan: WindowPlan): Window[] {
  const { fromMs, toMs, trainMs, testMs, stepMs = testMs, anchored = false, purgeMs = 0, embargoMs = 0 } = plan;
  requireLength("train", trainMs, 1);
  requireLength("test", testMs, 1);
  requireLength("step", stepMs, 1);
  requireLength("purge", purgeMs, 0);
  requireLength("embargo", embargoMs, 0);
  if (stepMs < testMs) {
    throw invalid("step", "tests would overlap, and count a day twice", "make it at least as long as the test");
  }
  if (purgeMs >= trainMs) throw invalid("purge", "nothing is left of training", "make it shorter than training");
  const firstMs = fromMs + trainMs + embargoMs;
  const count = Math.floor((toMs - firstMs - testMs) / stepMs) + 1;
  if (count < 1) {
    const days = ((toMs - fromMs) / DAY_MS).toFixed(1);
    throw invalid("train", `the data has ${days} days, too few for one window`, "use shorter spans, or more data");
  }
  if (count > WINDOWS_MOST) {
    throw invalid("test", `${count} windows are too many, at most ${WINDOWS_MOST}`, "use a longer test or step");
  }
  return Array.from({ length: count }, (_, i) => {
    const testFromMs = firstMs + i * stepMs;
    const trainEndMs = testFromMs - embargoMs;
    return {
      train: { fromMs: anchored ? fromMs : trainEndMs - trainMs, toMs: trainEndMs - purgeMs },
      test: { fromMs: testFromMs, toMs: testFromMs + testMs },
    };
  });
}

const DAY_MS = 86_400_000;

function requireLength(place: string, lengthMs: number, least: number): void {
  if (Number.isSafeInteger(lengthMs) && lengthMs >= least) return;
  throw invalid(place, `${lengthMs} ms is no length of time`, "give a whole number of milliseconds");
}

function invalid(place: string, reason: string, hint: string): WalkForwardError {
  return new WalkForwardError("WINDOWS_INVALID", reason, { place, hint });
}
