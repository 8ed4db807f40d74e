import { parseInstant } from "../compile/duration.ts";
import type { Reader, Word } from "./reader.ts";

/** Words that may follow an order: key, value and kind in the long form. */
const MODIFIERS: Readonly<Record<string, readonly [key: string, source: string, kind: "text" | "flag"]>> = {
  GTC: ["timeInForce", "GTC", "text"],
  IOC: ["timeInForce", "IOC", "text"],
  FOK: ["timeInForce", "FOK", "text"],
  GTT: ["timeInForce", "GTT", "text"],
  "post-only": ["postOnly", "reject", "text"],
  slide: ["postOnly", "slide", "text"],
  "reduce-only": ["reduceOnly", "true", "flag"],
};

/** Context of an order: the words that may follow it, and the key of its own name. */
export interface OrderPart {
  /** Modifiers that belong to another part of the sentence. */
  readonly without?: readonly string[];
  /** Field of `client NAME`; none where the part has no name. */
  readonly client?: string;
  /** Whether `until` is the order's own, so that it is GTT; false for the good-til of an intent; undefined for none. */
  readonly until?: boolean;
  /** Whether it waits for a price, of which `on index` names the source. */
  readonly source?: boolean;
}

/** `@ 60000`, `@ market within 0.01`, `@ market 60000`. */
export function readOrderPrice(reader: Reader): void {
  if (reader.take("@") === undefined) {
    reader.fault(reader.next(), "@ and a price are missing");
    return;
  }
  const market = reader.take("market");
  if (market !== undefined) reader.set("orderType", market);
  reader.decimal("price", "a price", market !== undefined);
  if (reader.take("within") !== undefined) reader.decimal("slippage", "a slippage");
}

/** Everything that may follow the price, in any order. */
export function readModifiers(reader: Reader, { without = [], client, until, source = false }: OrderPart): void {
  let expiry: Word | undefined;
  for (;;) {
    const text = reader.peek() ?? "";
    const modifier = without.includes(text) || !Object.hasOwn(MODIFIERS, text) ? undefined : MODIFIERS[text];
    if (modifier !== undefined) {
      const [key, value, kind] = modifier;
      reader.set(key, { ...reader.next()!, text: value }, kind);
    } else if (client !== undefined && reader.take("client") !== undefined) reader.set(client, reader.next());
    else if (source && reader.take("on") !== undefined) reader.set("source", reader.next());
    else if (until !== undefined && text === "until") {
      expiry = reader.next();
      readExpiry(reader);
    } else break;
  }
  const isTimed = reader.entries.some(({ key }) => key === "timeInForce");
  if (expiry !== undefined && until === true && !isTimed) reader.set("timeInForce", { ...expiry, text: "GTT" });
}

/** `until +10` is a height, `until +1h` and `until 2024-01-01T00:00:00Z` are times. */
function readExpiry(reader: Reader): void {
  const word = reader.next();
  const text = word?.text ?? "";
  const instant = parseInstant(text);
  if (/^\+?[0-9]+$/.test(text)) reader.set("goodTilHeight", word, text.startsWith("+") ? "text" : "number");
  else if (/^\+[0-9]{1,9}(ms|s|m|h|d)$/.test(text)) reader.set("goodTilTime", word);
  else if (word !== undefined && instant !== undefined) {
    reader.set("goodTilTime", { ...word, text: String(instant) }, "number");
  } else reader.fault(word, "a height such as +10 or a time such as +1h is missing after until");
}
