/** Drafts order books: changes a level a row, whole books a row, best bid and best ask. */
import type { MappingStream } from "../mapping/schema.ts";
import type { ColumnView } from "./columnView.ts";
import type { DraftedStream } from "./draftMapping.ts";
import { normalizeName } from "./roles.ts";

const PRICE = /(^|_)(px|price|p)(_|$)/;
const SIZE = /(^|_)(qty|quantity|size|sz|amount|amt|volume|vol|q)(_|$)/;
const UPDATE = /^(u|seq|sequence|update_id|final_update_id|last_update_id|change_id)$/;
const PREVIOUS = /^(pu|prev_final_update_id|previous_update_id|prev_update_id|prev_change_id|prev_seq)$/;

/** @returns `undefined` if the columns are of no book */
export function draftBook(view: ColumnView): DraftedStream | undefined {
  const { names } = view.sample;
  if (names === undefined) return undefined;
  return draftLevels(names) ?? draftQuotes(view, names) ?? draftChanges(view, names);
}

type Part = "bidPrice" | "bidSize" | "askPrice" | "askSize";

/** What a column of a book is by its name, as `bids[3].price`, `bid_qty_0` and `best_ask` say. */
function partOf(name: string): Part | "bid" | "ask" | undefined {
  const known = normalizeName(name);
  const side = /(^|_)bids?(_|\d|$)/.test(known) ? "bid" : /(^|_)asks?(_|\d|$)/.test(known) ? "ask" : undefined;
  if (side === undefined) return undefined;
  if (SIZE.test(known)) return `${side}Size`;
  return PRICE.test(known) ? `${side}Price` : side;
}

/** Columns whose names have one number, by the name with `{i}` in its place. */
function draftLevels(names: readonly string[]): DraftedStream | undefined {
  const patterns = new Map<string, number[]>();
  for (const name of names) {
    const [number, ...more] = name.match(/\d+/g) ?? [];
    if (number === undefined || more.length > 0) continue;
    const pattern = name.replace(number, "{i}");
    patterns.set(pattern, [...(patterns.get(pattern) ?? []), Number(number)]);
  }
  const find = (part: Part) => [...patterns].find(([name]) => partOf(name.replace("{i}", "0")) === part);
  const found = [find("bidPrice"), find("bidSize"), find("askPrice"), find("askSize")];
  if (found.some((pattern) => pattern === undefined)) return undefined;
  const [bidPrice, bidSize, askPrice, askSize] = found.map((pattern) => pattern![0]);
  const numbers = found.map((pattern) => pattern![1].toSorted((a, b) => a - b));
  const [first] = numbers[0]!;
  // A book of ten levels also fits nine: the levels that both sides have are taken.
  const levels = Math.min(
    ...numbers
      .map((all) => all.findIndex((number, at) => number !== first! + at))
      .map((end, at) => (end < 0 ? numbers[at]!.length : end)),
  );
  if ((first !== 0 && first !== 1) || numbers.some((all) => all[0] !== first)) return undefined;
  const stream = {
    kind: "depth",
    levels,
    ...(first === 0 ? {} : { firstLevel: first }),
    bids: { price: bidPrice, size: bidSize },
    asks: { price: askPrice, size: askSize },
  };
  return {
    streams: [stream as MappingStream],
    notes: [`A row is a whole book of ${levels} levels.`],
    questions: ["are the sizes of levels in base units, in quote or in contracts?"],
  };
}

function draftQuotes(view: ColumnView, names: readonly string[]): DraftedStream | undefined {
  const find = (...parts: string[]): number | undefined => {
    const column = names.findIndex((name, at) => parts.includes(partOf(name) ?? "") && view.numbers(at) !== undefined);
    return column < 0 ? undefined : column;
  };
  const prices = [find("bidPrice", "bid"), find("askPrice", "ask")];
  const sizes = [find("bidSize"), find("askSize")];
  if (prices.includes(undefined)) return undefined;
  const [bid, ask] = prices.map((column) => view.ref(column!));
  if (sizes.includes(undefined)) {
    // Nothing else can be made of the file: a mapping without a price to trade at would only fail later.
    return {
      streams: [{ kind: "index", price: bid! }],
      notes: [],
      questions: [
        `best bid ${JSON.stringify(bid)} and best ask ${JSON.stringify(ask)} have no sizes, and quotes need them: no stream of quotes can be drafted`,
      ],
    };
  }
  const [bidSize, askSize] = sizes.map((column) => view.ref(column!));
  const id = names.findIndex((name) => UPDATE.test(normalizeName(name)));
  const stream = {
    kind: "quotes",
    bid: { price: bid, size: bidSize },
    ask: { price: ask, size: askSize },
    ...(id < 0 ? {} : { id: view.ref(id) }),
  };
  return {
    streams: [stream as MappingStream],
    notes: [],
    questions: ["are the sizes of bid and ask in base units, in quote or in contracts?"],
  };
}

/** Price, size and side in rows that are no trades: they have ids of updates, or say what is a snapshot. */
function draftChanges(view: ColumnView, names: readonly string[]): DraftedStream | undefined {
  const known = names.map(normalizeName);
  const price = view.find("price").find((column) => view.numbers(column) !== undefined);
  const size = view.find("size").find((column) => view.numbers(column) !== undefined);
  const side = view.find("side").find((column) => wordsOf(view.texts(column)) !== undefined);
  if (price === undefined || size === undefined || side === undefined) return undefined;
  const previous = known.findIndex((name) => PREVIOUS.test(name));
  const id = known.findIndex((name) => UPDATE.test(name));
  const mark = known.findIndex((name) => /^(is_)?snapshot$/.test(name));
  const words = view.texts(side).some((text) => /^(bid|ask)$/i.test(text));
  const isUpdated = known.some((name) => name.includes("update_id") || name.includes("change_id"));
  if (mark < 0 && previous < 0 && !isUpdated && !words) return undefined;
  // One id in all rows: the file is a snapshot.
  const isWhole = mark < 0 && previous < 0 && id >= 0 && new Set(view.texts(id)).size === 1;
  const isMarked = mark >= 0 && view.texts(mark).every((text) => /^(true|false)$/i.test(text));
  const stream = {
    kind: "depth",
    price: view.ref(price),
    size: view.ref(size),
    side: { column: view.ref(side), ...wordsOf(view.texts(side)) },
    ...(isMarked ? { snapshot: { column: view.ref(mark), yes: ["true", "True"], no: ["false", "False"] } } : {}),
    ...(isWhole ? { snapshot: "all" } : {}),
    ...(id < 0
      ? {}
      : {
          id:
            previous < 0
              ? { column: view.ref(id), rule: "rising" }
              : { column: view.ref(id), previous: view.ref(previous) },
        }),
  };
  const questions = [
    `is ${view.label(size)} the size that the level has now, 0 where it is gone, and in base units?`,
    ...(isMarked || isWhole
      ? []
      : [
          "no column marks a snapshot: import a file with one first, or set startsEmpty: true if the book is empty at first",
        ]),
  ];
  return { streams: [stream as MappingStream], notes: [], questions };
}

function wordsOf(texts: readonly string[]): { bid: string[]; ask: string[] } | undefined {
  const seen = new Set(texts);
  const pairs = ["bid/ask", "Bid/Ask", "b/a", "B/A", "buy/sell", "Buy/Sell", "bids/asks"].map((pair) =>
    pair.split("/"),
  );
  const pair = pairs.find((words) => [...seen].every((text) => words.includes(text)));
  return pair === undefined ? undefined : { bid: [pair[0]!], ask: [pair[1]!] };
}
