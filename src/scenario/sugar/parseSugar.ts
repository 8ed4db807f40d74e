import type { ActionName } from "../../protocol/actions/index.ts";
import { LABEL } from "../compile/label.ts";
import type { Faults } from "../faults.ts";
import { type Cell, type Entry, type Place, partOf, type ScalarCell } from "../parse/cell.ts";

/** What a sentence means: the long form. */
export interface Sentence {
  readonly action: ActionName;
  readonly entries: readonly Entry[];
  readonly label?: { readonly name: string; readonly place: Place };
}

interface Word {
  readonly text: string;
  readonly place: Place;
}

const DECIMAL = /^-?[0-9][0-9.]*$/;

/** What can be said, for hints and the reference. */
export const SENTENCES: Readonly<Record<string, string>> = {
  buy: "buy 5 BTC-PERP @ 60000 [GTC|IOC|FOK] [post-only] [reduce-only] [client NAME] [as LABEL]",
  sell: "sell 5 BTC-PERP @ market within 0.01 [reduce-only] [client NAME] [as LABEL]",
  cancel: "cancel $LABEL | cancel all [BTC-PERP]",
  amend: "amend $LABEL [to 3] [@ 60100]",
  close: "close [2] [BTC-PERP] [@ 60000 | within 0.01] [as LABEL]",
  leverage: "leverage 5 [BTC-PERP]",
  withdraw: "withdraw 100",
  transfer: "transfer 100 to bob",
  deposit: "deposit 100 to bob",
  mint: "mint 100 to bob",
  fund: "fund insurance 100",
  noop: "noop",
};

/** Reads a sentence such as `buy 5 BTC-PERP @ 60000 as bid`. */
export function parseSugar(cell: ScalarCell, faults: Faults): Sentence | undefined {
  const words = splitWords(cell);
  const reader = new Reader(words, cell, faults);
  const verb = reader.next();
  const parse = verb === undefined ? undefined : VERBS[verb.text];
  if (verb === undefined || parse === undefined) {
    return faults.add(
      verb?.place ?? cell.place,
      `unknown verb ${verb?.text ?? ""}`,
      `verbs are ${Object.keys(SENTENCES).join(", ")}`,
    );
  }
  const action = parse(reader, verb);
  const label = reader.label();
  const rest = reader.next();
  if (rest !== undefined && !reader.failed) reader.fault(rest, `${rest.text} is not understood here`);
  if (reader.failed || action === undefined) return undefined;
  return { action, entries: reader.entries, ...(label === undefined ? {} : { label }) };
}

function splitWords(cell: ScalarCell): Word[] {
  return [...cell.source.matchAll(/[^\s@]+|@/g)].map((match) => ({
    text: match[0],
    place: partOf(cell, match.index, match[0].length),
  }));
}

class Reader {
  readonly entries: Entry[] = [];
  failed = false;
  readonly #words: readonly Word[];
  readonly #cell: ScalarCell;
  readonly #faults: Faults;
  #at = 0;

  constructor(words: readonly Word[], cell: ScalarCell, faults: Faults) {
    this.#words = words;
    this.#cell = cell;
    this.#faults = faults;
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

  fault(word: Word | undefined, message: string): undefined {
    this.failed = true;
    const verb = this.#words[0]?.text ?? "";
    this.#faults.add(word?.place ?? this.#cell.place, message, `write ${SENTENCES[verb] ?? "another verb"}`);
  }

  set(key: string, word: Word | undefined, kind: "text" | "number" | "flag" = "text"): void {
    if (word === undefined) return;
    const value: Cell = { kind, place: word.place, source: word.text };
    this.entries.push({ key, place: word.place, value });
  }

  /** A decimal that must or may stand here. */
  decimal(key: string, what: string, optional = false): void {
    const text = this.peek();
    if (text !== undefined && DECIMAL.test(text)) this.set(key, this.next());
    else if (!optional) this.fault(this.next(), `${what} is missing`);
  }

  market(): void {
    const text = this.peek();
    if (text === undefined || text === "@" || text === "as" || !/^[A-Z0-9]/.test(text) || MODIFIERS.has(text)) return;
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

  label(): Sentence["label"] {
    if (this.take("as") === undefined) return undefined;
    const word = this.next();
    if (word === undefined) return this.fault(word, "a label is missing behind as");
    return { name: word.text, place: word.place };
  }
}

/** What may stand behind an order: key, value and kind in the long form. */
const MODIFIERS = new Map<string, readonly [string, string, "text" | "flag"]>([
  ["GTC", ["timeInForce", "GTC", "text"]],
  ["IOC", ["timeInForce", "IOC", "text"]],
  ["FOK", ["timeInForce", "FOK", "text"]],
  ["GTT", ["timeInForce", "GTT", "text"]],
  ["post-only", ["postOnly", "reject", "text"]],
  ["slide", ["postOnly", "slide", "text"]],
  ["reduce-only", ["reduceOnly", "true", "flag"]],
]);

function order(reader: Reader, verb: Word): ActionName {
  reader.set("side", verb);
  reader.decimal("size", "a size");
  reader.market();
  if (reader.take("@") === undefined) reader.fault(reader.next(), "@ and a price are missing");
  else {
    const word = reader.take("market");
    if (word === undefined) reader.decimal("price", "a price");
    else reader.set("orderType", word);
  }
  if (reader.take("within") !== undefined) reader.decimal("slippage", "a slippage");
  for (;;) {
    const modifier = MODIFIERS.get(reader.peek() ?? "");
    if (modifier !== undefined) {
      const [key, source, kind] = modifier;
      const { place } = reader.next()!;
      reader.set(key, { text: source, place }, kind);
    } else if (reader.take("client") !== undefined) reader.set("clientOrderId", reader.next());
    else return "placeOrder";
  }
}

type Parse = (reader: Reader, verb: Word) => ActionName | undefined;

const VERBS: Readonly<Record<string, Parse>> = {
  buy: order,
  sell: order,
  cancel(reader) {
    if (reader.take("all") === undefined) {
      reader.named("orderId");
      return "cancelOrder";
    }
    reader.market();
    return "cancelAll";
  },
  amend(reader) {
    reader.named("orderId");
    if (reader.take("to") !== undefined) reader.decimal("size", "a size");
    if (reader.take("@") !== undefined) reader.decimal("price", "a price");
    return "amendOrder";
  },
  close(reader) {
    reader.decimal("size", "a size", true);
    reader.market();
    if (reader.take("@") !== undefined) reader.decimal("price", "a price");
    if (reader.take("within") !== undefined) reader.decimal("slippage", "a slippage");
    return "closePosition";
  },
  leverage(reader) {
    const word = reader.next();
    if (word === undefined || !/^[0-9]+$/.test(word.text)) reader.fault(word, "a whole number is missing");
    else reader.set("leverage", word, "number");
    reader.market();
    return "setLeverage";
  },
  withdraw(reader) {
    reader.decimal("amount", "an amount");
    return "withdraw";
  },
  transfer(reader) {
    reader.decimal("amount", "an amount");
    reader.account("to");
    return "transfer";
  },
  deposit(reader) {
    reader.decimal("amount", "an amount");
    reader.account("to");
    return "deposit";
  },
  mint(reader) {
    reader.decimal("amount", "an amount");
    reader.account("to");
    return "faucetMint";
  },
  fund(reader) {
    if (reader.take("insurance") === undefined) reader.fault(reader.next(), "insurance is missing");
    else reader.decimal("amount", "an amount");
    return "fundInsurance";
  },
  noop: () => "noop",
};
