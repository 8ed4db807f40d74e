/** Order books and quotes of a mapping. */
import { quote } from "../errors.ts";
import { idCell } from "../readers/known.ts";
import type { ColumnIndex, DepthSpec, LevelColumns, LevelsSpec, QuoteSpec, SnapshotRows } from "../readers/layout.ts";
import { bindPrice, bindSize } from "./bindAmounts.ts";
import type { Binder } from "./binder.ts";
import type { ChangesStream, LevelsStream, PriceRef, QuotesStream, SizeRef } from "./schema.ts";

type Bound<S> = Omit<S, "time" | "everyMs" | "skipEmpty">;

/** A book whose rows are levels, or whole books. */
export function bindDepth(stream: ChangesStream | LevelsStream, binder: Binder): Bound<DepthSpec> | Bound<LevelsSpec> {
  return "levels" in stream ? bindLevels(stream, binder) : bindChanges(stream, binder);
}

function bindChanges(stream: ChangesStream, binder: Binder): Bound<DepthSpec> {
  const { id, snapshot, side } = stream;
  return {
    kind: "depth",
    shape: "depth",
    price: bindPrice(stream.price, binder),
    size: bindLevelSize(stream.size, binder),
    side: bindWords(side.column, [side.bid, 1], [side.ask, -1], binder),
    snapshot: bindSnapshot(snapshot, binder),
    startsEmpty: stream.startsEmpty ?? false,
    ...(id === undefined ? { updates: "none" } : { id: binder.column(id.column, idCell), ...bindRule(id, binder) }),
  };
}

type UpdateId = NonNullable<ChangesStream["id"]>;

function bindRule(id: UpdateId, binder: Binder): Pick<DepthSpec, "updates" | "previous"> {
  if ("previous" in id) return { updates: "chained", previous: binder.column(id.previous, idCell) };
  return { updates: id.rule as "contiguous" | "rising" };
}

function bindSnapshot(snapshot: ChangesStream["snapshot"], binder: Binder): SnapshotRows {
  if (snapshot === undefined) return "none";
  if (typeof snapshot !== "object") return "all";
  return bindWords(snapshot.column, [snapshot.yes, 1], [snapshot.no, 0], binder);
}

type Meaning = readonly [words: readonly string[], value: number];

function bindWords(column: string | number, first: Meaning, second: Meaning, binder: Binder): ColumnIndex {
  const both = first[0].find((word) => second[0].includes(word));
  if (both !== undefined) throw binder.invalid(`${quote(both)} has two meanings in column ${column}`);
  const words = [first, second].flatMap(([texts, value]) => texts.map((text) => [text, value] as const));
  return binder.column(column, { type: "word", words });
}

function bindLevels(stream: LevelsStream, binder: Binder): Bound<LevelsSpec> {
  const first = stream.firstLevel ?? 0;
  const numbers = Array.from({ length: stream.levels }, (_, level) => String(first + level));
  const optional = binder.optional();
  const bindSide = ({ price, size }: LevelsStream["bids"]): LevelColumns[] =>
    numbers.map((number) => bindLevel(nameLevel(price, number), nameLevelSize(size, number), optional));
  return {
    kind: "depth",
    shape: "levels",
    bids: bindSide(stream.bids),
    asks: bindSide(stream.asks),
    ...(stream.id === undefined ? {} : { id: binder.column(stream.id, idCell) }),
  };
}

const nameLevel = (name: string, number: string): string => name.replaceAll("{i}", number);

function nameLevelSize(size: LevelsStream["bids"]["size"], number: string): SizeRef {
  return typeof size === "string" ? nameLevel(size, number) : { ...size, column: nameLevel(size.column, number) };
}

/** Best bid and best ask of each row. */
export function bindQuotes(stream: QuotesStream, binder: Binder): Bound<QuoteSpec> {
  const optional = binder.optional();
  if ("side" in stream) {
    const level = bindLevel(stream.price, stream.size, optional);
    const side = bindWords(stream.side.column, [stream.side.bid, 1], [stream.side.ask, -1], binder);
    const id = stream.id === undefined ? {} : { id: binder.column(stream.id, idCell) };
    return { kind: "quote", shape: "quote", bid: level, ask: level, side, ...id };
  }
  return {
    kind: "quote",
    shape: "quote",
    bid: bindLevel(stream.bid.price, stream.bid.size, optional),
    ask: bindLevel(stream.ask.price, stream.ask.size, optional),
    ...(stream.id === undefined ? {} : { id: binder.column(stream.id, idCell) }),
  };
}

function bindLevel(price: PriceRef, size: SizeRef, binder: Binder): LevelColumns {
  return { price: bindPrice(price, binder, "nonNegative"), size: bindLevelSize(size, binder) };
}

function bindLevelSize(size: SizeRef, binder: Binder) {
  if (typeof size === "object" && "constant" in size) throw binder.invalid("the size of a level has to be in the file");
  return bindSize(size, binder, "nonNegative");
}
