import { StrategyError } from "./errors.ts";
import type { Timer } from "./facts.ts";
import { parseSpan, type Span, startOfSpan } from "./spans.ts";

/** Most timers at one time. */
const TIMERS_MOST = 1_000;
/** Shortest time between two calls of a timer, ms: each needs a block. */
const PERIOD_LEAST_MS = 1_000;

interface Pending {
  readonly name: string;
  /** 0 for a timer that is called once. */
  readonly periodMs: number;
  dueMs: number;
}

/** Timers of a strategy, in block time. A timer is called with the first block at or after its time. */
export class Timers {
  /** By name, in the order in which they were set. */
  readonly #pending = new Map<string, Pending>();
  #dueMs = Number.POSITIVE_INFINITY;

  /** When the first timer is due; Infinity without one. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Calls at every whole multiple of a span in UTC after a time. A timer of the same name is replaced. */
  every(span: Span, name: string, nowMs: number): void {
    const periodMs = lengthOf(span, name);
    if (periodMs < PERIOD_LEAST_MS) {
      throw invalid(`timer ${name} is called every ${periodMs} ms`, name, "give at least 1s; onBlock has every block");
    }
    this.#set({ name, periodMs, dueMs: startOfSpan(nowMs, periodMs) + periodMs });
  }

  /** Calls once, a span after a time. */
  after(span: Span, name: string, nowMs: number): void {
    this.#set({ name, periodMs: 0, dueMs: nowMs + lengthOf(span, name) });
  }

  /** Calls once, at a time. */
  at(timeMs: number, name: string, nowMs: number): void {
    if (!Number.isSafeInteger(timeMs) || timeMs <= nowMs) {
      throw invalid(`timer ${name} is not after the present block: ${timeMs}`, name, "give a later time in ms");
    }
    this.#set({ name, periodMs: 0, dueMs: timeMs });
  }

  /** Returns whether there was a timer of the name. */
  stop(name: string): boolean {
    const had = this.#pending.delete(name);
    this.#findDue();
    return had;
  }

  /**
   * Takes out the timers that are due by a time, in the order of the times, then of setting. A timer that was due
   * several times since the last block is called once, for the latest.
   */
  take(timeMs: number): Timer[] {
    if (timeMs < this.#dueMs) return [];
    const due: Timer[] = [];
    for (const pending of this.#pending.values()) {
      const { name, periodMs, dueMs } = pending;
      if (dueMs > timeMs) continue;
      if (periodMs === 0) {
        this.#pending.delete(name);
        due.push({ name, timeMs: dueMs, missed: 0 });
        continue;
      }
      const latest = startOfSpan(timeMs, periodMs);
      pending.dueMs = latest + periodMs;
      due.push({ name, timeMs: latest, missed: (latest - dueMs) / periodMs });
    }
    this.#findDue();
    return due.length < 2 ? due : due.sort((a, b) => a.timeMs - b.timeMs);
  }

  #set(pending: Pending): void {
    if (this.#pending.size >= TIMERS_MOST && !this.#pending.has(pending.name)) {
      throw invalid(`there are ${TIMERS_MOST} timers already`, pending.name, "stop those that are not needed");
    }
    this.#pending.set(pending.name, pending);
    this.#findDue();
  }

  #findDue(): void {
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#pending.values()) this.#dueMs = Math.min(this.#dueMs, dueMs);
  }
}

function lengthOf(span: Span, name: string): number {
  const ms = parseSpan(span);
  if (ms !== undefined) return ms;
  throw invalid(`timer ${name} has no span: ${JSON.stringify(span)}`, name, 'write it like "90s", "4h" or "1d"');
}

function invalid(reason: string, place: string, hint: string): StrategyError {
  return new StrategyError("TIMER_INVALID", reason, { place, hint });
}
