import { parseDuration } from "../compile/duration.ts";
import { LABEL } from "../compile/label.ts";
import type { Faults } from "../faults.ts";
import { type Cell, type Entry, type Place, partOf, type ScalarCell } from "../parse/cell.ts";

/** A word of a sentence with its place. */
export interface Word {
  readonly text: string;
  readonly place: Place;
}

/** A label that a sentence gives to the object that it makes. */
export interface SentenceLabel {
  readonly name: string;
  readonly place: Place;
}

const DECIMAL = /^-?[0-9][0-9.]*$/;

/** Reads a sentence word by word into the entries of the long form. */
export class Reader {
  entries: Entry[] = [];
  failed = false;
  readonly #words: readonly Word[];
  readonly #cell: ScalarCell;
  readonly #faults: Faults;
  /** The form of the sentence, for hints. */
  readonly #form: (verb: string) => string;
  #at = 0;

  constructor(cell: ScalarCell, faults: Faults, form: (verb: string) => string) {
    this.#cell = cell;
    this.#faults = faults;
    this.#form = form;
    this.#words = [...cell.source.matchAll(/[^\s@]+|@/g)].map((match) => ({
      text: match[0],
      place: partOf(cell, match.index, match[0].length),
    }));
  }

  peek(): string | undefined {
    return this.#words[this.#at]?.text;
  }

  next(): Word | undefined {
    return this.#words[this.#at++];
  }

  /** Takes the next word if it is this one. */
  take(text: string): Word | undefined {
    return this.peek() === text ? this.next() : undefined;
  }

  /** A sentence has one fault: words after the first fault are not read. */
  fault(word: Word | undefined, message: string): undefined {
    if (this.failed) return;
    this.failed = true;
    this.#faults.add(word?.place ?? this.#cell.place, message, `write ${this.#form(this.#words[0]?.text ?? "")}`);
  }

  set(key: string, word: Word | undefined, kind: "text" | "number" | "flag" = "text"): void {
    if (word === undefined) return;
    if (this.entries.some((entry) => entry.key === key)) {
      this.fault(word, `${key} is given twice`);
      return;
    }
    const value: Cell = { kind, place: word.place, source: word.text };
    this.entries.push({ key, place: word.place, value });
  }

  /** The entries of a part of the sentence, apart from those around it. */
  collect(read: () => void): Entry[] {
    const outer = this.entries;
    this.entries = [];
    read();
    const own = this.entries;
    this.entries = outer;
    return own;
  }

  /** A decimal that must or may be next. */
  decimal(key: string, what: string, optional = false): void {
    const text = this.peek();
    if (text !== undefined && DECIMAL.test(text)) this.set(key, this.next());
    else if (!optional) this.fault(this.next(), `${what} is missing`);
  }

  /** A duration such as 30s, as milliseconds. */
  duration(key: string, what: string): void {
    const word = this.next();
    const ms = parseDuration(word?.text ?? "");
    if (word === undefined || ms === undefined) this.fault(word, `${what} such as 30s is missing`);
    else this.set(key, { ...word, text: String(ms) }, "number");
  }

  /** The name of a market, if one is next: capitals that are no word of an order. */
  market(): void {
    const text = this.peek();
    if (text === undefined || !/^[A-Z0-9]/.test(text) || /^(GTC|IOC|FOK|GTT)$/.test(text)) return;
    this.set("market", this.next());
  }

  account(key: string): void {
    if (this.take("to") === undefined) this.fault(this.next(), "to is missing");
    else this.set(key, this.next());
  }

  named(key: string): void {
    const word = this.next();
    if (word === undefined || !LABEL.test(word.text)) this.fault(word, "a label such as $bid is missing");
    else this.set(key, word);
  }

  label(): SentenceLabel | undefined {
    if (this.take("as") === undefined) return undefined;
    const word = this.next();
    if (word === undefined) return this.fault(word, "a label is missing after as");
    return { name: word.text, place: word.place };
  }
}
