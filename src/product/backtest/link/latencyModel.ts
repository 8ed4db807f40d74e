import { createHash } from "node:crypto";
import { Random } from "../../../ground/math/random.ts";
import { countUpTo } from "../../../ground/math/sorted.ts";
import { optionError } from "../../replay/settings.ts";
import { computeExp, drawNormal } from "./distributions.ts";

/**
 * Latencies as they were measured: that of a time is the one of the last sample at or before it, or of the first
 * sample.
 */
export interface RecordedLatency {
  /** Its name in the report and, for a run from code, in the command that repeats it: a path, if it is a file. */
  readonly file: string;
  /** When a message was sent, ms, ascending. */
  readonly times: readonly number[];
  /** How long it took, ms. */
  readonly latencies: readonly number[];
}

/**
 * How long messages take: a number is ms for all of them, a text a distribution, for example `lognormal(20,0.5)`, see
 * `DISTRIBUTIONS`.
 */
export type Latency = number | string | RecordedLatency;

/** Parts of the way of a message; each has latencies of its own. */
export type Leg = "submit" | "feed" | "receipt";

/** A latency, checked. */
export interface LatencyModel {
  /** As a user types it: `100`, `lognormal(20,0.5)`, or the name of a file. */
  readonly name: string;
  /** As a sentence has it: `100 ms`. */
  readonly text: string;
  /** Ms, where all messages take equally long; undefined for others. */
  readonly constantMs: number | undefined;
  /**
   * Opens the latencies of one leg.
   *
   * @param seed of the run
   * @returns    ms that a message takes which is sent at a time: whole, and the same at every call
   */
  open(seed: string, leg: Leg): (timeMs: number) => number;
}

/** Longest latency: a day. A longer one that was drawn is cut. */
export const LATENCY_MOST_MS = 86_400_000;
/** Most samples of a recorded latency: a job of a sweep has all of them. */
export const SAMPLES_MOST = 100_000;

interface Distribution {
  readonly parameters: readonly [string, string];
  /** The reason for which parameters are refused. */
  refuse(first: number, second: number): string | undefined;
  describe(first: number, second: number): string;
  draw(random: Random, first: number, second: number): number;
}

/** The distributions by name. Parameters are ms, except `sigma`, which is that of the logarithm. */
export const DISTRIBUTIONS: Readonly<Record<string, Distribution>> = {
  uniform: {
    parameters: ["low", "high"],
    refuse: (low, high) =>
      Number.isInteger(low) && Number.isInteger(high) && low <= high
        ? undefined
        : "low and high are whole ms, low first",
    describe: (low, high) => `from ${low} to ${high} ms, each as likely (uniform)`,
    draw: (random, low, high) => random.between(low, high),
  },
  normal: {
    parameters: ["mean", "deviation"],
    refuse: () => undefined,
    describe: (mean, deviation) => `normal with a mean of ${mean} ms and a deviation of ${deviation} ms, at least 0`,
    draw: (random, mean, deviation) => mean + deviation * drawNormal(random),
  },
  lognormal: {
    parameters: ["median", "sigma"],
    refuse: (_median, sigma) => (sigma <= 10 ? undefined : "sigma is at most 10"),
    describe: (median, sigma) => `lognormal with a median of ${median} ms and a sigma of ${sigma}`,
    draw: (random, median, sigma) => median * computeExp(Math.max(-700, Math.min(700, sigma * drawNormal(random)))),
  },
};

const FORMS = Object.entries(DISTRIBUTIONS).map(([name, { parameters }]) => `${name}(${parameters.join(",")})`);
const HINT = `give whole ms, ${FORMS.join(", ")}, or recorded samples`;

/**
 * Checks a latency.
 *
 * @param option its name, as the place of an error
 * @throws {ReplayError} OPTION_INVALID
 */
export function readLatency(option: string, given: Latency): LatencyModel {
  if (typeof given === "number") return createConstant(option, given);
  if (typeof given === "object" && given !== null) return createRecorded(option, given);
  if (typeof given !== "string") throw optionError(option, "is no latency", HINT);
  const text = given.replace(/\s/g, "");
  return /^\d+$/.test(text) ? createConstant(option, Number(text), text) : createDrawn(option, text, given);
}

function createConstant(option: string, ms: number, given = String(ms)): LatencyModel {
  if (!(Number.isInteger(ms) && ms >= 0 && ms <= LATENCY_MOST_MS)) {
    throw optionError(option, `must be a whole number from 0 to ${LATENCY_MOST_MS}, not ${given}`, HINT);
  }
  return { name: String(ms), text: `${ms} ms`, constantMs: ms, open: () => () => ms };
}

function createDrawn(option: string, text: string, given: string): LatencyModel {
  const [, word = "", list = ""] = /^([a-z]+)\(([^()]*)\)$/.exec(text) ?? [];
  const distribution = Object.hasOwn(DISTRIBUTIONS, word) ? DISTRIBUTIONS[word]! : undefined;
  if (distribution === undefined) throw optionError(option, `${JSON.stringify(given)} is no latency`, HINT);
  const { parameters, refuse, describe, draw } = distribution;
  const form = `${word}(${parameters.join(",")})`;
  const parts = list.split(",");
  const values = parameters.map((name, place) => readParameter(parts, name, place));
  const [first, second] = values;
  if (parts.length !== 2 || first === undefined || second === undefined) {
    throw optionError(
      option,
      `${JSON.stringify(given)} is not ${form}`,
      "numbers from 0 to 86400000, as in lognormal(20,0.5)",
    );
  }
  const refused = refuse(first, second);
  if (refused !== undefined) throw optionError(option, `${JSON.stringify(given)} is refused: ${refused}`, HINT);
  return {
    name: `${word}(${first},${second})`,
    text: describe(first, second),
    constantMs: undefined,
    open(seed, leg) {
      const draws = new TimedDraws(`${leg}\n${seed}`);
      return (timeMs) => Math.min(LATENCY_MOST_MS, Math.max(0, Math.round(draw(draws.at(timeMs), first, second))));
    },
  };
}

/** `20` by place, or `median=20` by name; undefined for anything else. */
function readParameter(parts: readonly string[], name: string, place: number): number | undefined {
  const named = parts.find((part) => part.startsWith(`${name}=`));
  const text = named === undefined ? parts[place] : named.slice(name.length + 1);
  if (text === undefined || !/^\d+(\.\d{1,6})?$/.test(text)) return undefined;
  const value = Number(text);
  return value <= LATENCY_MOST_MS ? value : undefined;
}

function createRecorded(option: string, given: RecordedLatency): LatencyModel {
  const { file, times, latencies } = given;
  if (typeof file !== "string" || !Array.isArray(times) || !Array.isArray(latencies)) {
    throw optionError(option, "has no samples", "give { file, times, latencies }");
  }
  checkSamples(option, given);
  return {
    name: file,
    text: `as recorded in ${file}, the last sample at each time`,
    constantMs: undefined,
    open: () => (timeMs) => latencies[Math.max(0, countUpTo(times, timeMs) - 1)]!,
  };
}

function checkSamples(option: string, { file, times, latencies }: RecordedLatency): void {
  const refuse = (reason: string) =>
    optionError(option, `${file}: ${reason}`, "a sample is a time in ms and a latency in whole ms");
  if (times.length === 0) throw refuse("there is no sample");
  if (times.length !== latencies.length) throw refuse(`${times.length} times and ${latencies.length} latencies`);
  if (times.length > SAMPLES_MOST) throw refuse(`${times.length} samples; at most ${SAMPLES_MOST}`);
  let before = Number.NEGATIVE_INFINITY;
  for (const [place, timeMs] of times.entries()) {
    const ms = latencies[place]!;
    if (!Number.isSafeInteger(timeMs)) throw refuse(`sample ${place + 1} has no time`);
    if (timeMs <= before) throw refuse(`sample ${place + 1} is not later than the one before it`);
    if (!(Number.isInteger(ms) && ms >= 0 && ms <= LATENCY_MOST_MS)) {
      throw refuse(`sample ${place + 1} has a latency of ${ms}, not one from 0 to ${LATENCY_MOST_MS}`);
    }
    before = timeMs;
  }
}

/** First draws that are thrown away: those of times that are close together would be alike. */
const THROWN = 16;

/**
 * Random numbers by time: those of a time do not depend on what was drawn before. So equal runs draw equally whatever
 * their blocks are, and a message more or less does not change the latencies of the others.
 */
class TimedDraws {
  readonly #words: Int32Array;
  readonly #random: Random;

  constructor(text: string) {
    const digest = createHash("sha256").update(text, "utf8").digest();
    this.#words = Int32Array.from([0, 4, 8, 12], (place) => digest.readInt32LE(place));
    this.#random = new Random(this.#words);
  }

  at(timeMs: number): Random {
    const { state } = this.#random;
    state.set(this.#words);
    state[0] = state[0]! ^ (timeMs | 0);
    state[1] = state[1]! ^ Math.floor(timeMs / 4_294_967_296);
    for (let draw = 0; draw < THROWN; draw++) this.#random.int32();
    return this.#random;
  }
}
