import { createHash } from "node:crypto";
import type { ParamValue } from "../../../client/strategy/params.ts";
import { type BacktestOptions, DEFAULTS } from "../../backtest/options.ts";
import { TRADE_BAR_MS } from "../../backtest/tradeBars.ts";

/** Options of a run that decide its result: plain data. */
export type RunOptions = Omit<
  BacktestOptions,
  "strategy" | "params" | "data" | "dataNames" | "log" | "command" | "onProgress"
>;

/**
 * One run to make, named by contents alone: it means the same on every machine, and equal jobs have equal results.
 * Where the contents are is known to the engine (`RunSources`).
 */
export interface RunJob {
  /** SHA-256 of perplab's own code, see `hashCode`. */
  readonly code: string;
  /** SHA-256 of the strategy's files, see `hashStrategy`. */
  readonly strategy: string;
  /** SHA-256 of the tape's index, which has the hash of every chunk; see `readTapeHash`. */
  readonly data: string;
  /** Every parameter of the strategy, defaults included, as `resolveParams` returns them. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Options equal to their defaults may be left out or written: the hash is the same. */
  readonly options: RunOptions;
}

/** Options that have a default and are written into every hash. */
const WRITTEN: RunOptions = { ...DEFAULTS, barMs: TRADE_BAR_MS };

/** Raised when the meaning of a job or of its record changes: older records are then made again. */
export const JOB_VERSION = 1;

/** Name of a job: SHA-256, as hex, of everything that decides its result. */
export function hashJob({ code, strategy, data, params, options }: RunJob): string {
  const whole = { job: JOB_VERSION, code, strategy, data, params, options: { ...WRITTEN, ...dropUndefined(options) } };
  return createHash("sha256").update(toCanonicalJson(whole)).digest("hex");
}

/** `barMs` is refused where no bars are made of trades, so only a written one is passed on; in the hash it has its default. */
function dropUndefined(options: RunOptions): RunOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
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
