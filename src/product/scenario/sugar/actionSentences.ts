import type { ActionName } from "../../../protocol/actions/index.ts";
import { SENTENCE_ACTIONS, type SentenceAction, type SentencePart } from "../../../protocol/sentence.ts";
import type { Reader, Word } from "./reader.ts";

/** Reads the words after a verb; undefined if they have a fault. */
export type Parse = (reader: Reader, verb: Word) => ActionName | undefined;

const EXAMPLES: Readonly<Partial<Record<string, string>>> = {
  address: "bob",
  market: "BTC-PERP",
  count: "5",
  text: "NAME",
};
const WHAT: Readonly<Partial<Record<string, string>>> = {
  amount: "an amount",
  price: "a price",
  size: "a size",
  rate: "a rate",
};

const verbOf = ({ action, parts: [first] }: SentenceAction): string => {
  if (first === undefined || !("word" in first)) throw new Error(`the sentence of ${action} has no verb`);
  return first.word;
};

/** A sentence of each action whose definition has one, for hints and the guide, by verb. */
export const SENTENCE_FORMS: Readonly<Record<string, string>> = Object.fromEntries(
  SENTENCE_ACTIONS.map((sentence) => [
    verbOf(sentence),
    sentence.parts.map((part) => ("word" in part ? part.word : (EXAMPLES[part.kind] ?? "100"))).join(" "),
  ]),
);

/** Readers of those sentences, by verb. */
export const SENTENCE_VERBS: Readonly<Record<string, Parse>> = Object.fromEntries(
  SENTENCE_ACTIONS.map((sentence): [string, Parse] => [
    verbOf(sentence),
    (reader) => {
      for (const part of sentence.parts.slice(1)) readPart(reader, part);
      return sentence.action;
    },
  ]),
);

function readPart(reader: Reader, part: SentencePart): void {
  if (reader.failed) return;
  if ("word" in part) {
    if (reader.take(part.word) === undefined) reader.fault(reader.next(), `${part.word} is missing`);
    return;
  }
  const what = WHAT[part.kind];
  if (what !== undefined) reader.decimal(part.name, what);
  else reader.set(part.name, reader.next(), part.kind === "count" ? "number" : "text");
}
