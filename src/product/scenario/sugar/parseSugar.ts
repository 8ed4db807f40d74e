import type { ActionName } from "../../../protocol/actions/index.ts";
import type { Faults } from "../faults.ts";
import type { Entry, ScalarCell } from "../parse/cell.ts";
import { type Parse, SENTENCE_FORMS, SENTENCE_VERBS } from "./actionSentences.ts";
import { readBracket, readOco, readTrigger, readTwap } from "./intentSentences.ts";
import { readModifiers, readOrderPrice } from "./orderWords.ts";
import { Reader, type SentenceLabel, type Word } from "./reader.ts";

/** The meaning of a sentence: the long form. */
export interface Sentence {
  readonly action: ActionName;
  readonly entries: readonly Entry[];
  readonly label?: SentenceLabel;
}

const LEGS = "stop at 59000 @ market within 0.01 take-profit at 65000 @ 65000";

/** Sentences of the grammar, for hints and the guide. */
export const SENTENCES: Readonly<Record<string, string>> = {
  buy: "buy 5 BTC-PERP @ 60000 [GTC|IOC|FOK|GTT] [until +1h] [post-only|slide] [reduce-only] [client NAME] [as LABEL]",
  sell: "sell 5 BTC-PERP @ market [59000] [within 0.01] [FOK] [reduce-only] [client NAME] [as LABEL]",
  cancel: "cancel $LABEL | cancel intent $LABEL | cancel all [BTC-PERP]",
  amend: "amend $LABEL [to 3] [@ 60100]",
  close: "close [2] [BTC-PERP] [@ 60000] [within 0.01] [as LABEL]",
  stop: "stop sell 5|share 0.5 BTC-PERP at 59000 @ market within 0.01 [on index] [reduce-only] [until +1h] [client NAME] [as LABEL]",
  "take-profit":
    "take-profit sell 5|share 0.5 BTC-PERP at 65000 @ 65000 [on index] [post-only] [reduce-only] [as LABEL]",
  "trailing-stop": "trailing-stop sell 5 BTC-PERP by 500|by rate 0.01 @ market within 0.01 [reduce-only] [as LABEL]",
  twap: "twap buy 5 BTC-PERP over 1h every 1m @ market within 0.01 [reduce-only] [client NAME] [as LABEL]",
  bracket: `bracket buy 5 BTC-PERP @ 60000 [until +1h] [reduce-only] ${LEGS} [as LABEL]`,
  oco: `oco sell 5 BTC-PERP [reduce-only] [until +1h] ${LEGS} [as LABEL]`,
  leverage: "leverage 5 [BTC-PERP]",
  ...SENTENCE_FORMS,
};

/** Reads a sentence such as `buy 5 BTC-PERP @ 60000 as bid`. */
export function parseSugar(cell: ScalarCell, faults: Faults): Sentence | undefined {
  const reader = new Reader(cell, faults, (verb) => SENTENCES[verb] ?? "another verb");
  const verb = reader.next();
  const parse = verb !== undefined && Object.hasOwn(VERBS, verb.text) ? VERBS[verb.text] : undefined;
  if (verb === undefined || parse === undefined) {
    return faults.add(
      verb?.place ?? cell.place,
      `unknown verb ${verb?.text ?? ""}`,
      `verbs are ${Object.keys(SENTENCES).join(", ")}`,
    );
  }
  const action = parse(reader, verb);
  const label = reader.failed ? undefined : reader.label();
  const rest = reader.next();
  if (rest !== undefined && !reader.failed) reader.fault(rest, `${rest.text} is not understood here`);
  if (reader.failed || action === undefined) return undefined;
  return { action, entries: reader.entries, ...(label === undefined ? {} : { label }) };
}

const VERBS: Readonly<Record<string, Parse>> = {
  buy: order,
  sell: order,
  cancel(reader) {
    if (reader.take("intent") !== undefined) {
      reader.named("intent");
      return "cancelIntent";
    }
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
  stop: readTrigger,
  "take-profit": readTrigger,
  "trailing-stop": readTrigger,
  twap: readTwap,
  bracket: readBracket,
  oco: readOco,
  leverage(reader) {
    const word = reader.next();
    if (word === undefined || !/^[0-9]+$/.test(word.text)) reader.fault(word, "a whole number is missing");
    else reader.set("leverage", word, "number");
    reader.market();
    return "setLeverage";
  },
  ...SENTENCE_VERBS,
};

function order(reader: Reader, verb: Word): ActionName {
  reader.set("side", verb);
  reader.decimal("size", "a size");
  reader.market();
  readOrderPrice(reader);
  readModifiers(reader, { client: "clientOrderId", until: true });
  return "placeOrder";
}
