/** Finds out how the times of a sample are written. */

import type { TimeUnit } from "../readers/layout.ts";
import { unitOf } from "../scan/cells.ts";
import { parseIsoTime } from "../scan/isoTime.ts";
import { compileTimeFormat, parseTextTime } from "../scan/textTime.ts";
import { mostFrequent } from "./sample.ts";

/** How times are written, with the milliseconds that the sample then has. */
export interface FoundTime {
  readonly unit: TimeUnit | "iso" | "text";
  readonly format?: string;
  /** Every time names its zone, or counts from 1970. */
  readonly isZoned: boolean;
  readonly ms: readonly number[];
}

const DATES = [
  ..."YYYY-MM-DD YYYY/MM/DD YYYY.MM.DD YYYYMMDD DD.MM.YYYY DD/MM/YYYY MM/DD/YYYY DD-MM-YYYY MM-DD-YYYY".split(" "),
  "MMM DD, YYYY",
  "MMM DD YYYY",
  "DD MMM YYYY",
  "DD-MMM-YYYY",
];
const CLOCKS = ["HH:mm:ss", "HH:mm", "hh:mm:ss A", "hh:mm A", "hh-A", "HHmmss", "HHmm"];
const JOINTS = [" ", ", ", "T", "-"];

const FORMATS: readonly string[] = [
  ...DATES,
  ...DATES.flatMap((date) => CLOCKS.flatMap((clock) => JOINTS.map((joint) => `${date}${joint}${clock}`))),
];

/** @returns all ways in which every text can be read; the first is the likeliest */
export function findTimes(texts: readonly string[]): FoundTime[] {
  if (texts.length === 0) return [];
  if (texts.every((text) => /^\d+(\.\d+)?$/.test(text))) {
    const unit = unitOf(Number(texts[0]));
    if (unit !== undefined) {
      const isSame = texts.every((text) => unitOf(Number(text)) === unit);
      return isSame ? [{ unit, isZoned: true, ms: texts.map((text) => toMs(text, unit)) }] : [];
    }
  }
  const iso = texts.map((text) => parseIsoTime(text, 0));
  if (iso.every((ms) => ms !== undefined)) {
    const isZoned = texts.every((text) => /(Z|UTC|GMT|\d[+-]\d\d:?\d\d| [+-]\d\d:?\d\d)$/.test(text));
    return [{ unit: "iso", isZoned, ms: iso as number[] }];
  }
  return rankByEvenness(findFormats(texts, FORMATS));
}

/** Ways to read a date and a time of day that are in two columns. */
export function findSplitTimes(dates: readonly string[], clocks: readonly string[]): FoundTime[] {
  const texts = dates.map((date, index) => `${date} ${clocks[index]}`);
  if (dates.length === 0 || !dates.every((date) => date.length >= 8) || clocks.every((clock) => unitOf(Number(clock))))
    return [];
  return rankByEvenness(
    findFormats(
      texts,
      DATES.flatMap((date) => CLOCKS.map((clock) => `${date} ${clock}`)),
    ),
  );
}

function findFormats(texts: readonly string[], formats: readonly string[]): FoundTime[] {
  return formats.flatMap((text) => {
    const format = compileTimeFormat(text)!;
    const ms: number[] = [];
    for (const cell of texts) {
      const time = parseTextTime(format, cell, 0);
      if (time === undefined) return [];
      ms.push(time);
    }
    const isZoned = texts.every((cell) => /(Z|UTC|GMT|[+-]\d\d:?\d\d)$/.test(cell) && !format.tokens.includes("A"));
    return [
      {
        unit: "text" as const,
        format: text,
        isZoned: isZoned && /\d\d:\d\d.*(Z|UTC|GMT|[+-]\d\d:?\d\d)$/.test(texts[0]!),
        ms,
      },
    ];
  });
}

/** Of several readings the ones with the most equal distances: 01/02 is a day or a month after 01/01. */
function rankByEvenness(found: readonly FoundTime[]): FoundTime[] {
  if (found.length < 2) return [...found];
  const scores = found.map(({ ms }) => evenness(ms));
  const best = Math.max(...scores);
  return found.filter((_, index) => scores[index] === best);
}

function evenness(ms: readonly number[]): number {
  const steps = stepsOf(ms);
  const common = mostFrequent(steps);
  return steps.length === 0 ? 0 : steps.filter((step) => step === common).length / steps.length;
}

/** Distances of consecutive times, without sign; equal times have none. */
export function stepsOf(ms: readonly number[]): number[] {
  return ms.slice(1).flatMap((time, index) => (time === ms[index] ? [] : [Math.abs(time - ms[index]!)]));
}

function toMs(text: string, unit: TimeUnit): number {
  const time = Number(text);
  if (unit === "s") return Math.round(time * 1000);
  return unit === "ms" ? Math.floor(time) : Math.floor(time / (unit === "us" ? 1e3 : 1e6));
}
