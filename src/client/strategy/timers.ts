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
  /**
   * In the order in which they were set, each name once. A strategy has few, and a map makes a new table with each
   * timer that it drops. Places from the count on are unused: a list that is made shorter gives up its room.
   */
  readonly #pending: Pending[] = [];
  #count = 0;
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
    const place = this.#placeOf(name);
    if (place < 0) return false;
    this.#pending.splice(place, 1);
    this.#count--;
    this.#findDue();
    return true;
  }

  /**
   * Takes out the timers that are due by a time, in the order of the times, then of setting. A timer that was due
   * several times since the last block is called once, for the latest.
   */
  take(timeMs: number): Timer[] {
    if (timeMs < this.#dueMs) return [];
    let due: Timer[] | undefined;
    let kept = 0;
    for (let place = 0; place < this.#count; place++) {
      const pending = this.#pending[place]!;
      if (pending.periodMs !== 0 || pending.dueMs > timeMs) this.#pending[kept++] = pending;
      if (pending.dueMs > timeMs) continue;
      const timer = timerOf(pending, timeMs);
      // A list that begins with its element has room for one.
      if (due === undefined) due = [timer];
      else due.push(timer);
    }
    this.#count = kept;
    this.#findDue();
    if (due === undefined) return [];
    return due.length < 2 ? due : due.sort((a, b) => a.timeMs - b.timeMs);
  }

  #placeOf(name: string): number {
    for (let place = 0; place < this.#count; place++) if (this.#pending[place]!.name === name) return place;
    return -1;
  }

  #set(pending: Pending): void {
    const place = this.#placeOf(pending.name);
    if (place >= 0) this.#pending[place] = pending;
    else if (this.#count < TIMERS_MOST) this.#pending[this.#count++] = pending;
    else throw invalid(`there are ${TIMERS_MOST} timers already`, pending.name, "stop those that are not needed");
    this.#findDue();
  }

  #findDue(): void {
    let dueMs = Number.POSITIVE_INFINITY;
    for (let place = 0; place < this.#count; place++) dueMs = Math.min(dueMs, this.#pending[place]!.dueMs);
    this.#dueMs = dueMs;
  }
}

/** What a hook gets of a timer that is due. A periodic timer is due again with its next period. */
function timerOf(pending: Pending, timeMs: number): Timer {
  const { name, periodMs, dueMs } = pending;
  if (periodMs === 0) return { name, timeMs: dueMs, missed: 0 };
  const latest = startOfSpan(timeMs, periodMs);
  pending.dueMs = latest + periodMs;
  return { name, timeMs: latest, missed: (latest - dueMs) / periodMs };
}

function lengthOf(span: Span, name: string): number {
  const ms = parseSpan(span);
  if (ms !== undefined) return ms;
  throw invalid(`timer ${name} has no span: ${JSON.stringify(span)}`, name, 'write it like "90s", "4h" or "1d"');
}

function invalid(reason: string, place: string, hint: string): StrategyError {
  return new StrategyError("TIMER_INVALID", reason, { place, hint });
}
