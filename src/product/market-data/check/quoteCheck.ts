import { type Best, RecordedBook } from "../book/recordedBook.ts";
import { BookFlag } from "../types.ts";
import { Comparison, type ComparisonResult } from "./comparison.ts";

/** Best prices after an update, or as a quote has them. */
interface Top {
  readonly id: number;
  readonly bid: Best;
  readonly ask: Best;
}

/** Findings in a recorded book, and its comparison with the recorded quotes. */
export interface BookResult {
  /** Changes of levels, and rows of snapshots. */
  readonly rows: number;
  readonly snapshots: number;
  /** Updates before which others are missing. */
  readonly gaps: number;
  /** Updates after which the best bid was above the best ask, or equal to it. */
  readonly crossed: number;
  readonly locked: number;
  /** Most levels at once. */
  readonly levelsMost: number;
  /** Best prices after each update, against the last quote up to its id. */
  readonly quotes: ComparisonResult;
}

/**
 * Builds one market's book from its depth events, and compares the recorded quotes with it. After each update, the last
 * quote up to its id is of the same moment. Updates and quotes without ids are not compared.
 */
export class QuoteCheck {
  readonly #book = new RecordedBook();
  readonly #quotes = new Comparison();
  /** Of this instant, in the order of their ids. */
  #updates: Top[] = [];
  #recorded: Top[] = [];
  /** The last quote before this instant, and the bid of a quote whose ask comes next. */
  #lastQuote: Top | undefined;
  #bid: Best = { price: 0, size: 0 };
  #timeMs = -1;
  #id = -1;
  #lastId = 0;
  #rows = 0;
  #snapshots = 0;
  #gaps = 0;
  #crossed = 0;
  #locked = 0;
  #levelsMost = 0;

  addDepth(timeMs: number, side: number, price: number, size: number, id: number, flags: number): void {
    if (timeMs !== this.#timeMs || id !== this.#id) this.#endUpdate();
    this.#moveTo(timeMs);
    this.#id = id;
    this.#book.apply(side, price, size, flags);
    this.#rows++;
    if ((flags & BookFlag.first) !== 0) this.#snapshots++;
    if ((flags & BookFlag.gap) !== 0) this.#gaps++;
    if (this.#book.levels > this.#levelsMost) this.#levelsMost = this.#book.levels;
  }

  addQuote(timeMs: number, side: number, price: number, size: number, id: number): void {
    this.#moveTo(timeMs);
    if (side > 0) this.#bid = { price, size };
    else if (id > 0) this.#recorded.push({ id, bid: this.#bid, ask: { price, size } });
  }

  end(): BookResult | undefined {
    this.#endInstant();
    if (this.#rows === 0) return undefined;
    return {
      rows: this.#rows,
      snapshots: this.#snapshots,
      gaps: this.#gaps,
      crossed: this.#crossed,
      locked: this.#locked,
      levelsMost: this.#levelsMost,
      quotes: this.#quotes.result,
    };
  }

  #moveTo(timeMs: number): void {
    if (timeMs === this.#timeMs) return;
    this.#endInstant();
    this.#timeMs = timeMs;
  }

  #endUpdate(): void {
    if (this.#id < 0) return;
    const top = { id: this.#id, bid: this.#book.bid, ask: this.#book.ask };
    // A snapshot at the start of a part repeats the update before it.
    if (this.#id > this.#lastId) {
      this.#updates.push(top);
      this.#lastId = this.#id;
    }
    this.#id = -1;
    if (top.bid.price === 0 || top.ask.price === 0) return;
    if (top.bid.price > top.ask.price) this.#crossed++;
    if (top.bid.price === top.ask.price) this.#locked++;
  }

  #endInstant(): void {
    this.#endUpdate();
    let next = 0;
    for (const update of this.#updates) {
      while (next < this.#recorded.length && this.#recorded[next]!.id <= update.id)
        this.#lastQuote = this.#recorded[next++];
      if (this.#lastQuote !== undefined) this.#compare(update, this.#lastQuote);
    }
    this.#lastQuote = this.#recorded.at(-1) ?? this.#lastQuote;
    this.#updates = [];
    this.#recorded = [];
  }

  #compare(update: Top, quote: Top): void {
    const side = (["bid", "ask"] as const).find(
      (name) => update[name].price !== quote[name].price || update[name].size !== quote[name].size,
    );
    if (side === undefined) {
      this.#quotes.add(undefined);
      return;
    }
    const what = update[side].price === quote[side].price ? "size" : "price";
    const [recorded, rebuilt] = [quote[side][what], update[side][what]];
    this.#quotes.add({ timeMs: this.#timeMs, what: `${what} of the best ${side}`, recorded, rebuilt });
  }
}
