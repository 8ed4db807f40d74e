import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Cell } from "../parse/cell.ts";
import { readModifiers, readOrderPrice } from "./orderWords.ts";
import type { Reader, Word } from "./reader.ts";

/** Trigger of an intent, in the words of a sentence, and its kind. */
const KINDS: Readonly<Record<string, string>> = {
  stop: "stop",
  "take-profit": "takeProfit",
  "trailing-stop": "trailingStop",
};

const GROUP = { client: "clientIntentId" } as const;
const LEG = { without: ["reduce-only", "GTT"], source: true } as const;

/** `stop sell 5 at 59000 @ market within 0.01 reduce-only`. */
export function readTrigger(reader: Reader, verb: Word): ActionName {
  reader.set("kind", { ...verb, text: KINDS[verb.text]! });
  readSide(reader);
  readAmount(reader);
  reader.market();
  readCondition(reader, verb.text);
  readOrderPrice(reader);
  readModifiers(reader, { ...GROUP, until: false, source: true });
  return "placeIntent";
}

/** `twap buy 10 over 1h every 1m @ market within 0.01`. */
export function readTwap(reader: Reader, verb: Word): ActionName {
  reader.set("kind", verb);
  readSide(reader);
  reader.decimal("size", "a size");
  reader.market();
  if (reader.take("over") === undefined) reader.fault(reader.next(), "over and a duration are missing");
  else reader.duration("duration", "a duration");
  if (reader.failed) return "placeIntent";
  if (reader.take("every") === undefined) reader.fault(reader.next(), "every and a duration are missing");
  else reader.duration("interval", "a duration");
  if (reader.failed) return "placeIntent";
  readOrderPrice(reader);
  readModifiers(reader, { ...GROUP, until: false });
  return "placeIntent";
}

/**
 * `bracket buy 4 @ 99 reduce-only stop at 95 @ market within 0.05 take-profit at 105 @ 105`: an entry with its legs.
 */
export function readBracket(reader: Reader, verb: Word): ActionName {
  readSide(reader);
  reader.decimal("size", "a size");
  reader.market();
  readOrderPrice(reader);
  readModifiers(reader, { ...GROUP, until: true });
  const legs = readLegs(reader);
  if (!reader.failed && legs.length === 0) reader.fault(reader.next(), "a leg such as stop at 95 is missing");
  setGroup(reader, verb, legs.length === 1 ? "oto" : "otoco", legs);
  return "placeIntent";
}

/**
 * `oco sell 4 reduce-only stop at 95 @ market within 0.05 take-profit at 105 @ 105`: two legs, one cancels the other.
 */
export function readOco(reader: Reader, verb: Word): ActionName {
  readSide(reader);
  readAmount(reader);
  reader.market();
  readModifiers(reader, {
    ...GROUP,
    without: ["GTC", "IOC", "FOK", "GTT", "post-only", "slide"],
    until: false,
  });
  const legs = readLegs(reader);
  if (!reader.failed && legs.length !== 2) reader.fault(reader.next(), "two legs such as stop at 95 are missing");
  setGroup(reader, verb, "oco", legs);
  return "placeIntent";
}

function setGroup(reader: Reader, verb: Word, kind: string, legs: readonly Cell[]): void {
  reader.set("kind", { ...verb, text: kind });
  reader.entries.push({ key: "legs", place: verb.place, value: { kind: "list", place: verb.place, items: legs } });
}

function readLegs(reader: Reader): Cell[] {
  const legs: Cell[] = [];
  while (!reader.failed && Object.hasOwn(KINDS, reader.peek() ?? "")) {
    const word = reader.next()!;
    const entries = reader.collect(() => {
      reader.set("kind", { ...word, text: KINDS[word.text]! });
      readCondition(reader, word.text);
      if (reader.failed) return;
      readOrderPrice(reader);
      readModifiers(reader, LEG);
    });
    legs.push({ kind: "map", place: word.place, entries });
  }
  return legs;
}

function readSide(reader: Reader): void {
  const word = reader.next();
  if (word === undefined || !/^(buy|sell)$/.test(word.text)) reader.fault(word, "buy or sell is missing");
  else reader.set("side", word);
}

/** A size, or `share 0.5` of the position. */
function readAmount(reader: Reader): void {
  if (reader.failed) return;
  if (reader.take("share") === undefined) reader.decimal("size", "a size or share");
  else reader.decimal("fraction", "a share");
}

/** `at 59000` of a stop and a take-profit; `by 500` or `by rate 0.01` of a trailing stop. */
function readCondition(reader: Reader, kind: string): void {
  if (reader.failed) return;
  const word = kind === "trailing-stop" ? "by" : "at";
  if (reader.take(word) === undefined) {
    reader.fault(reader.next(), `${word} and a ${word === "at" ? "price" : "distance"} are missing`);
  } else if (word === "at") reader.decimal("trigger", "a price");
  else if (reader.take("rate") !== undefined) reader.decimal("trailRate", "a rate");
  else reader.decimal("trail", "a distance");
}
