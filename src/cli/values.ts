// How the values of options are read: strictly, with the option as the place of a fault.
import { formatCount } from "../ground/math/counts.ts";
import { type CliError, usageError } from "./fail.ts";

/** The greatest whole number of fifteen digits: all of them are exact. */
const WHOLE_MOST = 999_999_999_999_999;

/** Threads that a command starts at most. */
export const WORKERS_MOST = 256;

/** Refuses a number that is a number, but beyond what the option takes. */
export function tooLarge(option: string, text: string, most: number): CliError {
  return usageError("OPTION_INVALID", `${JSON.stringify(text)} is too large, at most ${formatCount(most)}`, {
    place: option,
    hint: `write a number up to ${most}`,
  });
}

/**
 * A reader of whole numbers for the option of this name.
 *
 * @param most greatest number that it takes. Default: what the caller checks later, at most 15 digits
 */
export function readWhole(option: string, most: number = WHOLE_MOST): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d*$/.test(text) && Number(text) > most) throw tooLarge(option, text, most);
    if (/^(0|[1-9]\d*)$/.test(text)) return Number(text);
    throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a whole number`, {
      place: option,
      hint: "write digits only",
    });
  };
}

/** A reader of counts for the option of this name: digits, or `5e6`. */
export function readCount(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const isNumber = /^\d+(\.\d+)?(e\d+)?$/.test(text);
    if (isNumber && value > Number.MAX_SAFE_INTEGER) throw tooLarge(option, text, Number.MAX_SAFE_INTEGER);
    if (isNumber && Number.isInteger(value) && value > 0) return value;
    throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a count`, {
      place: option,
      hint: "write digits, or 5e6 for five million",
    });
  };
}

const DURATIONS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const DAY_MS = 86_400_000;
/** Days that a timer of Node can wait: 2^31 ms are a little less than 25. */
export const TIMER_DAYS = 24;

/**
 * A reader of durations in milliseconds for the option of this name: `40s`, `10m`, `1.5h`.
 *
 * @param daysMost longest time that it takes; `TIMER_DAYS` where a timer waits
 */
export function readDuration(option: string, daysMost = 36_500): (text: string) => number {
  return (text) => {
    const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
    const value = Math.round(Number(digits) * (DURATIONS[unit ?? ""] ?? 0));
    if (value > daysMost * DAY_MS) {
      const reason = `${JSON.stringify(text)} is too large, at most ${daysMost}d`;
      throw usageError("OPTION_INVALID", reason, { place: option, hint: "write a shorter time" });
    }
    if (value > 0) return value;
    throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a duration`, {
      place: option,
      hint: "write a number and its unit: 40s, 10m, 8h, 30d",
    });
  };
}

const SIZES: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** A reader of sizes in bytes for the option of this name: `500MB`, `1.5GB`. */
export function readSize(option: string): (text: string) => number {
  return (text) => {
    const [, digits, unit] = /^(\d+(?:\.\d+)?)(kB|MB|GB|TB)$/.exec(text) ?? [];
    const value = Math.round(Number(digits) * (SIZES[unit ?? ""] ?? 0));
    if (value > Number.MAX_SAFE_INTEGER) throw tooLarge(option, text, Number.MAX_SAFE_INTEGER);
    if (value > 0) return value;
    throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a size`, {
      place: option,
      hint: "write a number and its unit: 500MB, 2GB",
    });
  };
}

/** A reader of `name=value` texts for the option of this name. A name may be given once. */
export function readPairs(option: string, texts: readonly string[]): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(at, 0));
    const fault = at < 1 ? "is not name=value" : pairs.has(name) ? "repeats a name" : undefined;
    if (fault !== undefined) {
      throw usageError("OPTION_INVALID", `${JSON.stringify(text)} ${fault}`, {
        place: option,
        hint: `for example ${option} makerFee=0`,
      });
    }
    pairs.set(name, text.slice(at + 1));
  }
  return Object.fromEntries(pairs);
}

/** A reader of one of some words for the option of this name. */
export function readWord<Word extends string>(option: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw usageError("OPTION_INVALID", `there is no ${JSON.stringify(text)}`, {
      place: option,
      hint: `use ${words.join(" or ")}`,
    });
  };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the members that are undefined. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}

/** Refuses text that is no amount in USD that a venue can store; the text itself is passed on. */
export async function checkAmount(option: string, text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const { scanDecimal } = await import("../ground/math/decimal.ts");
  const { AMOUNT_DECIMALS, LIMIT } = await import("../ground/math/fixed.ts");
  const value = scanDecimal(text, AMOUNT_DECIMALS);
  if (value === "range") throw tooLarge(option, text, LIMIT / 10 ** AMOUNT_DECIMALS);
  if (typeof value === "number" && value >= 0) return;
  throw usageError(
    "OPTION_INVALID",
    `${JSON.stringify(text)} is not an amount in USD with at most ${AMOUNT_DECIMALS} decimals`,
    {
      place: option,
      hint: "write it as 1000 or 0.5",
    },
  );
}

/** A moment of the option of this name, ms since 1970. Without a zone it is UTC. */
export async function readTime(option: string, text: string | undefined): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const { parseIsoTime } = await import("../product/market-data/scan/isoTime.ts");
  const timeMs = parseIsoTime(text, 0);
  if (timeMs !== undefined) return timeMs;
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a time`, {
    place: option,
    hint: "write it as 2024-07-01, 2024-07-01T12:00 or 2024-07-01T12:00:00+02:00; without a zone it is UTC",
  });
}
