import { parseSpan } from "../../../client/strategy/spans.ts";
import { optionError } from "../../replay/settings.ts";

/** So many transactions in each interval. Intervals begin at whole multiples of their length since 1970. */
export interface RateLimit {
  readonly count: number;
  readonly intervalMs: number;
}

/** Limits that hold together. */
export const LIMITS_MOST = 8;
const COUNT_MOST = 1_000_000_000;
const INTERVAL_MOST_MS = 366 * 86_400_000;

/**
 * Reads rate limits: `10/1s`, or several that all hold: `300/10s,1200/1m`.
 *
 * @throws {ReplayError} OPTION_INVALID
 */
export function readRateLimits(option: string, text: string): readonly RateLimit[] {
  const hint = "write transactions and interval, as 10/1s or 300/10s,1200/1m";
  if (typeof text !== "string") throw optionError(option, "is no text", hint);
  const parts = text.split(",");
  if (parts.length > LIMITS_MOST) throw optionError(option, `has ${parts.length} limits; at most ${LIMITS_MOST}`, hint);
  return parts.map((part) => {
    const [, digits, span] = /^\s*(\d{1,10})\/(\d+(?:ms|s|m|h|d))\s*$/.exec(part) ?? [];
    const count = Number(digits);
    const intervalMs = span === undefined ? undefined : parseSpan(span);
    if (digits === undefined || intervalMs === undefined || count > COUNT_MOST || intervalMs > INTERVAL_MOST_MS) {
      throw optionError(option, `${JSON.stringify(part.trim())} is no rate limit`, hint);
    }
    if (count === 0) throw optionError(option, `${JSON.stringify(part.trim())} lets nothing through`, hint);
    return { count, intervalMs };
  });
}

/** As a user types them. */
export function formatRateLimits(limits: readonly RateLimit[]): string {
  return limits.map(({ count, intervalMs }) => `${count}/${intervalMs}ms`).join(",");
}

/** Counts the transactions of one strategy as a venue with fixed intervals does. What it refuses does not count. */
export class RateGate {
  readonly #limits: readonly RateLimit[];
  readonly #intervals: number[];
  readonly #counts: number[];

  constructor(limits: readonly RateLimit[]) {
    this.#limits = limits;
    this.#intervals = limits.map(() => Number.NaN);
    this.#counts = limits.map(() => 0);
  }

  /** Whether a transaction may pass that arrives at a time; times do not fall. */
  admit(timeMs: number): boolean {
    for (const [place, { count, intervalMs }] of this.#limits.entries()) {
      const interval = Math.floor(timeMs / intervalMs);
      if (interval !== this.#intervals[place]) {
        this.#intervals[place] = interval;
        this.#counts[place] = 0;
      }
      if (this.#counts[place]! >= count) return false;
    }
    for (const place of this.#limits.keys()) this.#counts[place] = this.#counts[place]! + 1;
    return true;
  }
}
