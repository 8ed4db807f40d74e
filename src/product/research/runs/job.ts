import { createHash } from "node:crypto";
import type { ParamValue } from "../../../client/strategy/params.ts";
import { DEFAULTS, type VenueOptions } from "../../backtest/options.ts";
import { ACCOUNT_DEFAULTS, type AccountOptions } from "../../backtest/strategyOptions.ts";

/**
 * Options of a run that decide its result: plain data. Those of accounts hold for strategies that have none of their
 * own.
 */
export type RunOptions = Omit<VenueOptions & AccountOptions, "data" | "dataNames" | "log" | "command" | "onProgress">;

/** A strategy of a run and its account. What is left out, the options of the run give. */
export interface JobStrategy extends AccountOptions {
  /** As in a list of `strategies`. Default: the id of the strategy. */
  readonly name?: string;
  /** SHA-256 of the strategy's files, see `hashStrategy`. */
  readonly strategy: string;
  /** Every parameter of the strategy, defaults included, as `resolveParams` returns them. */
  readonly params: Readonly<Record<string, ParamValue>>;
}

/**
 * One run to make, named by contents alone: it means the same on every machine, and equal jobs have equal results.
 * Where the contents are is known to the engine (`RunSources`).
 */
export interface RunJob {
  /** SHA-256 of perplab's own code, see `hashCode`. */
  readonly code: string;
  /** At least one. Their order decides nothing. */
  readonly strategies: readonly JobStrategy[];
  /** SHA-256 of the tape's index, which has the hash of every chunk; see `readTapeHash`. */
  readonly data: string;
  /** Options equal to their defaults may be left out or written, except `queue` and `barMs`: the hash is the same. */
  readonly options: RunOptions;
}

/**
 * Options that have a default and are written into every hash. A run whose data has no order book refuses `queue`, and
 * one without bars of trades `barMs`. So a job with their defaults is another one than a job without them.
 */
const { queue: _queue, ...WRITTEN } = DEFAULTS;
/** Options of accounts: in the hash they are part of each strategy. */
const OF_ACCOUNTS = new Set([...Object.keys(ACCOUNT_DEFAULTS), "rateLimit", "outages"]);

/**
 * Raised when the meaning of a job or of its record changes: older records are never found, and their runs are made
 * again. 1 had one strategy, 2 has a list of them.
 */
export const JOB_VERSION = 2;

/** Name of a job: SHA-256, as hex, of everything that decides its result. */
export function hashJob({ code, strategies, data, options }: RunJob): string {
  const { ofAccounts, ofVenue } = splitOptions({ ...WRITTEN, ...dropUndefined(options) });
  // Names decide the order of accounts, so the order of the list is not part of the hash.
  const each = strategies.map((one) => toCanonicalJson({ ...ofAccounts, ...dropUndefined(one) })).sort();
  const whole = { job: JOB_VERSION, code, strategies: each, data, options: ofVenue };
  return createHash("sha256").update(toCanonicalJson(whole)).digest("hex");
}

/** Options that an account may have of its own, and those of the venue. */
export function splitOptions(options: RunOptions): {
  readonly ofAccounts: AccountOptions;
  readonly ofVenue: RunOptions;
} {
  const all = Object.entries(options);
  return {
    ofAccounts: Object.fromEntries(all.filter(([name]) => OF_ACCOUNTS.has(name))),
    ofVenue: Object.fromEntries(all.filter(([name]) => !OF_ACCOUNTS.has(name))),
  };
}

function dropUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** JSON with the members of every object in the order of their names. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
