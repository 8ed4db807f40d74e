import type { BookLevel } from "../../../client/api/schemas/markets.ts";
import type { BookDepth } from "../../../client/api/socket/channels.ts";
import { countBelow } from "../../../ground/math/sorted.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { formatLots } from "../../../venue/formulas/text.ts";
import type { BookChange, BookChanges, LevelKey } from "../../history/bookChanges.ts";
import { textOfTicks } from "../views/text.ts";
import { type BookSides, checksumOf, diffSides } from "./bookSides.ts";

/** The changes that a book stream reported for one block. */
export interface BookDelta {
  readonly height: number;
  readonly timeMs: number;
  readonly data: BookSides;
  readonly checksum: number;
}

/** One side of an earlier book, best price first. */
class PastSide {
  readonly #rules: MarketParameters;
  readonly #keys: LevelKey[];
  readonly #levels = new Map<LevelKey, BookLevel>();

  constructor(rules: MarketParameters, levels: Iterable<readonly [LevelKey, number, number]>) {
    this.#rules = rules;
    for (const [key, lots, orders] of levels) this.#levels.set(key, this.#view(key, lots, orders));
    this.#keys = [...this.#levels.keys()].sort((a, b) => a - b);
  }

  set(key: LevelKey, lots: number, orders: number): void {
    const isThere = this.#levels.has(key);
    if (orders === 0) {
      if (isThere) this.#keys.splice(countBelow(this.#keys, key), 1);
      this.#levels.delete(key);
      return;
    }
    if (!isThere) this.#keys.splice(countBelow(this.#keys, key), 0, key);
    this.#levels.set(key, this.#view(key, lots, orders));
  }

  top(depth: number): BookLevel[] {
    return this.#keys.slice(0, depth).map((key) => this.#levels.get(key)!);
  }

  /** The keys with a level, in their order. */
  among(keys: readonly LevelKey[]): BookLevel[] {
    return keys.map((key) => this.#levels.get(key)).filter((level) => level !== undefined);
  }

  #view(key: LevelKey, lots: number, orders: number): BookLevel {
    return [textOfTicks(this.#rules, Math.abs(key)), formatLots(this.#rules, lots), orders];
  }
}

/**
 * Reproduces the messages of a book stream for the blocks above a height, oldest first. It rebuilds the book of that
 * height by undoing changes, then replays block by block. Cost: once per level of the book, and per change since.
 */
export function* resend(
  books: BookChanges,
  { market, rules, depth }: { market: number; rules: MarketParameters; depth: BookDepth },
  aboveHeight: number,
): Generator<BookDelta> {
  const levels = new Map(books.levelsOf(market));
  const again: BookChange[] = [];
  for (const change of books.changesOf(market, aboveHeight)) again.push(undo(levels, change));

  const sideOf = (isBid: boolean) =>
    new PastSide(
      rules,
      [...levels].filter(([key]) => key < 0 === isBid).map(([key, { lots, orders }]) => [key, lots, orders] as const),
    );
  const [bids, asks] = [sideOf(true), sideOf(false)];
  const top = (levels: number): BookSides => ({ bids: bids.top(levels), asks: asks.top(levels) });
  let view = depth === "full" ? undefined : top(depth);
  for (const { height, timeMs, levels: changed } of again.reverse()) {
    const keys = keysOf(changed);
    const among = () => ({
      bids: bids.among(keys.filter((key) => key < 0)),
      asks: asks.among(keys.filter((key) => key > 0)),
    });
    // All levels are in view: the unchanged ones need no comparison.
    const before = view ?? among();
    for (let at = 0; at < changed.length; at += 3) {
      (changed[at]! < 0 ? bids : asks).set(changed[at]!, changed[at + 1]!, changed[at + 2]!);
    }
    const after = depth === "full" ? among() : top(depth);
    if (depth !== "full") view = after;
    const data = diffSides(before, after);
    if (data !== undefined) yield { height, timeMs, data, checksum: checksumOf(top(10)) };
  }
}

/** Undoes a change, and returns its inverse. */
function undo(levels: Map<LevelKey, { lots: number; orders: number }>, change: BookChange): BookChange {
  const after: number[] = [];
  for (let at = 0; at < change.levels.length; at += 3) {
    const [key, lots, orders] = change.levels.slice(at, at + 3) as [number, number, number];
    const is = levels.get(key);
    after.push(key, is?.lots ?? 0, is?.orders ?? 0);
    if (orders === 0) levels.delete(key);
    else levels.set(key, { lots, orders });
  }
  return { ...change, levels: after };
}

/** Best price first on each side. */
function keysOf(levels: readonly number[]): LevelKey[] {
  const keys: LevelKey[] = [];
  for (let at = 0; at < levels.length; at += 3) keys.push(levels[at]!);
  return keys.sort((a, b) => a - b);
}
