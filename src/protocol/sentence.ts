import { type ActionName, actions } from "./actions/index.ts";
import type { Field, Fields } from "./fields.ts";

/** A part of a sentence: a word, or a field of the payload. */
export type SentencePart = { readonly word: string } | { readonly name: string; readonly kind: Field["kind"] };

/** An action that has a sentence in its definition. */
export interface SentenceAction {
  readonly action: ActionName;
  readonly parts: readonly SentencePart[];
}

function readSentence(action: ActionName, sentence: string, fields: Fields): SentenceAction {
  const parts = sentence.split(" ").map((text): SentencePart => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    if (name === undefined) return { word: text };
    const field = fields[name];
    if (field === undefined) throw new Error(`the sentence of ${action} names ${name}, which is no field of it`);
    return { name, kind: field.kind };
  });
  return { action, parts };
}

/** Actions with a sentence, in the order of their codes. */
export const SENTENCE_ACTIONS: readonly SentenceAction[] = Object.values(actions).flatMap((definition) =>
  "sentence" in definition ? [readSentence(definition.name, definition.sentence, definition.fields)] : [],
);
