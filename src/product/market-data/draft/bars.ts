/** Drafts the bars of a file: open, high, low, close and volume by name, or by place where there are no names. */

import { formatDuration } from "../durations.ts";
import type { MappingStream, SizeRef } from "../mapping/schema.ts";
import { type ColumnView, medianOf } from "./columnView.ts";
import type { DraftedStream, DraftedTime } from "./draftMapping.ts";
import { findCurrencyVolumes } from "./roles.ts";
import { mostFrequent } from "./sample.ts";
import { stepsOf } from "./times.ts";

const DAY_MS = 86_400_000;
/** A day's volume of any market is worth less than this, in USD. */
const DAY_WORTH_MOST = 3e12;
/** Digits that a tape holds, and the price from which on one digit less is a millionth at most. */
const DECIMALS = 8;
const PRICE_LEAST = 0.01;

interface Prices {
  readonly columns: readonly [open: number, high: number, low: number, close: number];
  readonly values: readonly [open: number[], high: number[], low: number[], close: number[]];
}

/** @returns `undefined` if the file has no bars */
export function bindBars(view: ColumnView, time: DraftedTime): DraftedStream | undefined {
  const prices = findPrices(view, time.columns);
  if (prices === undefined) return undefined;
  const [open, high, low, close] = prices.columns.map((column) => view.ref(column));
  const questions: string[] = [];
  const notes: string[] = [];
  if (!isSound(prices))
    questions.push("open or close lies outside of low and high in many rows: are these the right columns?");

  const intervalMs = mostFrequent(stepsOf(time.ms));
  const interval = intervalMs === undefined ? undefined : formatDuration(intervalMs);
  if (isUnordered(time.ms)) questions.push("the rows are in no order of time: sort them by time");
  else if (interval === undefined) {
    questions.push("the length of a bar does not show in the times: state the interval");
  }
  const where = time.label === "open" ? "opens" : "closes";
  notes.push(`A bar ${where} at the time of its row and lasts ${interval ?? "?"}.`);
  if (time.label === "close" && time.ms.some((ms) => ms % 1000 === 999)) {
    questions.push("times end with the last millisecond of a bar: state a column with the time of the open");
  }

  const volume = draftVolume(view, prices, intervalMs ?? DAY_MS);
  const exactness = draftExactness(view, prices);
  const stream = {
    kind: "bars",
    label: time.label,
    interval: interval ?? "1h",
    open,
    high,
    low,
    close,
    volume: volume.ref,
  } as MappingStream;
  return {
    streams: [stream],
    notes: [...notes, ...volume.notes, ...exactness.notes],
    questions: [...questions, ...volume.questions, ...exactness.questions],
    ...(exactness.allow ? { allow: ["precision"] } : {}),
  };
}

/** Times that both rise and fall. A single late row is left to the reader, which names it. */
function isUnordered(ms: readonly number[]): boolean {
  const rises = ms.filter((time, row) => row > 0 && time > ms[row - 1]!).length;
  const falls = ms.filter((time, row) => row > 0 && time < ms[row - 1]!).length;
  return Math.min(rises, falls) > ms.length / 10;
}

/** The question for a file whose columns have the names of bars but hold no numbers; `undefined` for other files. */
export function findUnreadPrice(view: ColumnView): string | undefined {
  const columns = (["open", "high", "low", "close"] as const).map((role) => view.find(role)[0]);
  if (columns.includes(undefined)) return undefined;
  const unread = columns.find((column) => view.numbers(column!) === undefined);
  if (unread === undefined) return undefined;
  const example = view.texts(unread).find((text) => Number.isNaN(Number(text))) ?? "";
  const isGrouped = /^-?\d{1,3}([,.' \u00a0]\d{3})+([.,]\d+)?$/.test(example);
  const advice = isGrouped ? "write it without separators of thousands" : "correct it in the file";
  return `${view.label(unread)} has ${JSON.stringify(example)}, which is no plain number: ${advice}`;
}

/** @param first place of the open where there are no names */
function findPrices(view: ColumnView, first: number): Prices | undefined {
  const named = (["open", "high", "low", "close"] as const).map((role) => view.find(role)[0]);
  const columns = view.sample.names === undefined ? [0, 1, 2, 3].map((place) => first + place) : named;
  const values = columns.map((column) =>
    column === undefined || column >= view.sample.columns ? undefined : view.numbers(column),
  );
  if (values.some((column) => column === undefined)) return undefined;
  const prices = { columns, values } as unknown as Prices;
  // Without names the columns are bars only if their numbers say so.
  return view.sample.names !== undefined || isSound(prices) ? prices : undefined;
}

/** True if nearly every row has its open and close between low and high. */
function isSound({ values: [open, high, low, close] }: Prices): boolean {
  let rows = 0;
  let sound = 0;
  for (let row = 0; row < open.length; row++) {
    if (Number.isNaN(open[row]! + high[row]! + low[row]! + close[row]!)) continue;
    rows++;
    const isBetween = (price: number): boolean => price >= low[row]! * (1 - 1e-9) && price <= high[row]! * (1 + 1e-9);
    if (isBetween(open[row]!) && isBetween(close[row]!) && low[row]! > 0) sound++;
  }
  return rows > 0 && sound >= rows * 0.95;
}

interface DraftedVolume {
  readonly ref: SizeRef;
  readonly notes: readonly string[];
  readonly questions: readonly string[];
}

/** The volume in base units if a column has it, else in quote, else a constant that has to be stated. */
function draftVolume(view: ColumnView, prices: Prices, intervalMs: number): DraftedVolume {
  const close = prices.values[3];
  const taken = new Set<number>(prices.columns);
  const currencies = findCurrencyVolumes(view.sample.names ?? []);
  const isUsable = (column: number): boolean => !taken.has(column) && view.numbers(column) !== undefined;
  const last = prices.columns[3] + 1;
  const unnamed = view.sample.names === undefined && view.sample.columns > last ? [last] : [];
  const base = [...currencies.base, ...view.find("volume"), ...unnamed].filter(isUsable);
  const quote = [...currencies.quote, ...view.find("quoteVolume")].filter(isUsable);
  const ratio = (from: number, to: number): number => {
    const sizes = view.numbers(from)!;
    return medianOf(
      view.numbers(to)!.map((value, row) => (sizes[row] === 0 ? Number.NaN : value / (sizes[row]! * close[row]!))),
    );
  };
  // A base volume is known to be one where another column is its value.
  const proven = base.find((column) =>
    [...quote, ...base].some((other) => other !== column && Math.abs(ratio(column, other) - 1) < 0.2),
  );
  const [first] = base;
  if (proven !== undefined) {
    return { ref: view.ref(proven), notes: [`The volume is ${view.label(proven)}, in base units.`], questions: [] };
  }
  if (first !== undefined) {
    if (quote.length > 0 && quote.every((column) => Math.abs(ratio(first, column)) > 0)) {
      const question = `${view.label(first)} times the price is not ${view.label(quote[0]!)}: is the volume in contracts?`;
      return { ref: view.ref(first), notes: [`The volume is ${view.label(first)}.`], questions: [question] };
    }
    return draftBaseVolume(view, first, close, intervalMs);
  }
  if (quote.length > 0) return quoteVolume(view, quote[0]!, "");
  const contracts = view.find("contracts").find(isUsable);
  if (contracts !== undefined) {
    const ref = { column: view.ref(contracts), unit: "contracts", multiplier: "1" } as SizeRef;
    const question = `state how many base units a contract is in ${view.label(contracts)} (multiplier)`;
    return { ref, notes: [`The volume is ${view.label(contracts)}, in contracts.`], questions: [question] };
  }
  return {
    ref: { constant: "1" },
    notes: ["No volume is recorded; 1 unit of base in each bar is assumed."],
    questions: ["there is no column of volume: state a constant that fits the market"],
  };
}

function draftBaseVolume(
  view: ColumnView,
  column: number,
  close: readonly number[],
  intervalMs: number,
): DraftedVolume {
  const volume = view.numbers(column)!;
  const worth = medianOf(volume.map((size, row) => size * close[row]!)) * (DAY_MS / intervalMs);
  const adjusted = view.sample.names?.some((name) => /^adj[ ._]?close$/i.test(name)) === true;
  if (worth > DAY_WORTH_MOST) {
    return quoteVolume(view, column, ` (as base units a day would be worth ${worth.toExponential(1)} USD)`);
  }
  if (volume.every((size) => !(size > 0))) {
    const question = `no row has a volume in ${view.label(column)}: is this the price of a mark or an index?`;
    return { ref: view.ref(column), notes: [], questions: [question] };
  }
  const yahoo = adjusted ? ["Yahoo states the volume of a coin in USD and of a share in shares."] : [];
  return {
    ref: view.ref(column),
    notes: [`The volume is ${view.label(column)}; base units are assumed.`, ...yahoo],
    questions: [],
  };
}

function quoteVolume(view: ColumnView, column: number, why: string): DraftedVolume {
  const ref = { column: view.ref(column), unit: "quote" } as SizeRef;
  return { ref, notes: [`The volume is ${view.label(column)}, in quote units${why}.`], questions: [] };
}

/** Digits finer than the tape's are cut where that is a millionth of a price at most. */
function draftExactness(
  view: ColumnView,
  { columns, values }: Prices,
): { allow: boolean; notes: string[]; questions: string[] } {
  const price = medianOf(values[3]);
  if (price >= PRICE_LEAST) return { allow: true, notes: [], questions: [] };
  if (view.decimals(columns) <= DECIMALS) return { allow: false, notes: [], questions: [] };
  const question =
    "prices have more than 8 digits after the point: scale prices (scale: 3) and the volume (scale: -3), or allow precision";
  return { allow: false, notes: [], questions: [question] };
}
