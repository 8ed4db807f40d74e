import { optionError } from "../../replay/settings.ts";

/** What an outage stops: transactions to the venue, messages from it (feed and receipts), or both. */
export const OUTAGE_KINDS = ["submit", "feed", "all"] as const;
export type OutageKind = (typeof OUTAGE_KINDS)[number];

/** A time without a connection to the venue, which continues. Half-open. */
export interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
  /** Default: `all`. */
  readonly stops?: OutageKind;
}

/** Most outages of a run. */
export const OUTAGES_MOST = 10_000;

/**
 * Checks outages.
 *
 * @returns them by time
 * @throws {ReplayError} OPTION_INVALID
 */
export function readOutages(option: string, given: readonly Outage[]): readonly Required<Outage>[] {
  if (!Array.isArray(given)) throw optionError(option, "is no list of outages", "give [{ fromMs, toMs, stops }]");
  if (given.length > OUTAGES_MOST) throw optionError(option, `has ${given.length} outages; at most ${OUTAGES_MOST}`);
  const outages = given.map(({ fromMs, toMs, stops = "all" }: Outage, place) => {
    if (!(Number.isSafeInteger(fromMs) && Number.isSafeInteger(toMs) && fromMs < toMs)) {
      throw optionError(option, `${place + 1} must end after it begins`, "its times are whole ms");
    }
    if (!OUTAGE_KINDS.includes(stops)) throw optionError(option, `${place + 1} must stop ${OUTAGE_KINDS.join(", ")}`);
    return { fromMs, toMs, stops };
  });
  return outages.sort((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs);
}

/** As a user types it: `2024-03-05T12:00:00.000Z..2024-03-05T12:20:00.000Z:feed`. */
export function formatOutage({ fromMs, toMs, stops }: Required<Outage>): string {
  const range = `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}`;
  return stops === "all" ? range : `${range}:${stops}`;
}

/** Outages of one direction: those that overlap are one. */
export class OutageTimes {
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  /** Place of the outage that was asked for last: times mostly grow. */
  #at = 0;

  constructor(outages: readonly Required<Outage>[], direction: "submit" | "feed") {
    for (const { fromMs, toMs, stops } of outages) {
      if (stops !== "all" && stops !== direction) continue;
      const last = this.#to.length - 1;
      if (last >= 0 && fromMs <= this.#to[last]!) this.#to[last] = Math.max(this.#to[last]!, toMs);
      else {
        this.#from.push(fromMs);
        this.#to.push(toMs);
      }
    }
  }

  /** When a message of a time comes through: at that time, or at the end of the outage that it falls into. */
  release(timeMs: number): number {
    if (this.#from.length === 0) return timeMs;
    while (this.#at > 0 && timeMs < this.#from[this.#at]!) this.#at--;
    while (this.#at < this.#from.length - 1 && timeMs >= this.#to[this.#at]!) this.#at++;
    return timeMs >= this.#from[this.#at]! && timeMs < this.#to[this.#at]! ? this.#to[this.#at]! : timeMs;
  }

  /** Sum of the outages within a time, ms. */
  measure(fromMs: number, toMs: number): number {
    let sum = 0;
    for (let at = 0; at < this.#from.length; at++) {
      sum += Math.max(0, Math.min(toMs, this.#to[at]!) - Math.max(fromMs, this.#from[at]!));
    }
    return sum;
  }
}
