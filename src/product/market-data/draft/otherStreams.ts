/** Drafts what is not bars: trades, funding, prices of a mark or an index, and series. A person checks each draft. */
import { LIMIT } from "../../../ground/math/fixed.ts";
import { formatDuration } from "../durations.ts";
import type { MappingStream } from "../mapping/schema.ts";
import { findUnreadPrice } from "./bars.ts";
import type { ColumnView } from "./columnView.ts";
import type { DraftedStream, DraftedTime } from "./draftMapping.ts";
import { draftFunding, toMinutes } from "./funding.ts";
import { mostFrequent } from "./sample.ts";
import { draftSeries } from "./series.ts";
import { stepsOf } from "./times.ts";

export function draftOther(view: ColumnView, time: DraftedTime): DraftedStream {
  const amount = (role: Parameters<ColumnView["find"]>[0]): number | undefined =>
    view.find(role).find((column) => view.numbers(column) !== undefined);
  const price = amount("price");
  const size = amount("size");
  if (price !== undefined && size !== undefined) return draftTrades(view, price, size);

  const streams: MappingStream[] = [];
  const questions: string[] = [];
  const spacing = formatDuration(mostFrequent(stepsOf(time.ms).map(toMinutes)) ?? 0);
  const notes: string[] = [];
  const rate = amount("rate");
  if (rate !== undefined) {
    const funding = draftFunding(view, time, rate);
    streams.push(...funding.streams);
    notes.push(...funding.notes);
    questions.push(...funding.questions);
  }
  for (const kind of ["index", "mark"] as const) {
    const column = amount(kind);
    if (column === undefined) continue;
    streams.push({ kind, price: view.ref(column), ...(spacing === undefined ? {} : { spacing }) });
  }
  if (streams.length > 0) return { streams, notes, questions };
  const unread = findUnreadPrice(view);
  const series = price === undefined && unread === undefined ? draftSeries(view, time) : undefined;
  if (series !== undefined) return series;
  const example = price ?? Math.min(1, view.sample.columns - 1);
  return {
    streams: [{ kind: "index", price: view.ref(example) }],
    notes: [],
    questions: [
      unread ??
        "neither bars, trades, funding nor prices are known by these columns: state the streams (data/README.md)",
    ],
  };
}

function draftTrades(view: ColumnView, price: number, size: number): DraftedStream {
  const questions = [`is the size in ${view.label(size)} in base units, in quote or in contracts?`];
  const maker = view
    .find("buyerIsMaker")
    .find((column) => view.texts(column).every((text) => /^(true|false)$/i.test(text)));
  const side = view.find("side").find((column) => sideWords(view.texts(column)) !== undefined);
  const words = side === undefined ? undefined : sideWords(view.texts(side));
  if (maker === undefined && words === undefined)
    questions.push("no column says which side took: it is guessed from the prices");
  else if (words !== undefined) questions.push(`does ${view.label(side!)} state the side of the taker?`);
  const id = draftId(view, [price, size]);
  const stream = {
    kind: "trades",
    price: view.ref(price),
    size: view.ref(size),
    ...(maker !== undefined
      ? { side: { buyerIsMaker: view.ref(maker) } }
      : words === undefined
        ? {}
        : { side: { column: view.ref(side!), ...words } }),
    ...(id === undefined ? {} : { id }),
  } as MappingStream;
  return { streams: [stream], notes: [], questions };
}

/** The words for buy and sell in a column; `undefined` if it has others. */
function sideWords(texts: readonly string[]): { buy: string[]; sell: string[] } | undefined {
  const seen = [...new Set(texts)];
  const buy = seen.filter((text) => /^(b|buy|bid|long|买入?)$/i.test(text));
  const sell = seen.filter((text) => /^(s|sell|ask|a|short|卖出?)$/i.test(text));
  if (buy.length + sell.length !== seen.length || seen.length === 0) return undefined;
  const opposite = (word: string): string => {
    const [, other] = [
      ["buy", "sell"],
      ["Buy", "Sell"],
      ["BUY", "SELL"],
      ["b", "s"],
      ["B", "S"],
      ["bid", "ask"],
      ["买入", "卖出"],
      ["买", "卖"],
      ["long", "short"],
    ]
      .flatMap(([a, b]) => [
        [a, b],
        [b, a],
      ])
      .find(([known]) => known === word) ?? [word, word === "sell" ? "buy" : "sell"];
    return other!;
  };
  return {
    buy: buy.length > 0 ? buy : [opposite(sell[0]!)],
    sell: sell.length > 0 ? sell : [opposite(buy[0]!)],
  };
}

/** Ids with the strictest rule that the sample has; none if they are no numbers or occur twice. */
function draftId(view: ColumnView, taken: readonly number[]): { column: string | number; rule: string } | undefined {
  for (const column of view.find("id")) {
    const ids = view.texts(column).map(Number);
    if (taken.includes(column) || !ids.every((id) => Number.isInteger(id) && id >= 0 && id <= LIMIT)) continue;
    if (new Set(ids).size !== ids.length) continue;
    const steps = ids.slice(1).map((id, index) => id - ids[index]!);
    const isEvery = (test: (step: number) => boolean): boolean =>
      steps.every(test) || steps.every((step) => test(-step));
    const rule = isEvery((step) => step === 1) ? "contiguous" : isEvery((step) => step > 0) ? "rising" : "unique";
    return { column: view.ref(column), rule };
  }
  return undefined;
}
