// How the values of options are read: strictly, with the option as the place of a fault.
import { usageError } from "./fail.ts";

/** A reader of whole numbers for the option of this name. The range is left to whoever knows it. */
export function readWhole(option: string): (text: string) => number {
  return (text) => {
    if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
    throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a whole number`, {
      place: option,
      hint: "write digits only",
    });
  };
}

/** A reader of `name=value` texts for the option of this name. A name stands once. */
export function readPairs(option: string, texts: readonly string[]): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(at, 0));
    const fault = at < 1 ? "is not name=value" : pairs.has(name) ? "names what was named before" : undefined;
    if (fault !== undefined) {
      throw usageError("OPTION_INVALID", `${JSON.stringify(text)} ${fault}`, {
        place: option,
        hint: `for example ${option} makerFee=0`,
      });
    }
    pairs.set(name, text.slice(at + 1));
  }
  return Object.fromEntries(pairs);
}

/** A reader of one of some words for the option of this name. */
export function readWord<Word extends string>(option: string, words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw usageError("OPTION_INVALID", `there is no ${JSON.stringify(text)}`, {
      place: option,
      hint: `use ${words.join(" or ")}`,
    });
  };
}

/** A word of a command line as a shell takes it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
