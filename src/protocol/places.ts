/** Place of a word in a list of words, as a literal type. */
type PlaceOf<
  Words extends readonly string[],
  Word extends string,
  Before extends readonly unknown[] = [],
> = Words extends readonly [infer First, ...infer Rest extends readonly string[]]
  ? First extends Word
    ? Before["length"]
    : PlaceOf<Rest, Word, [...Before, unknown]>
  : never;

/** Each word of a list with its place. */
export type Places<Words extends readonly string[]> = { readonly [Word in Words[number]]: PlaceOf<Words, Word> };

/** A class, since a plain object shares its shape with others, and V8 discards code that reads it when they change. */
class WordPlaces {
  [word: string]: number;
}

/**
 * `placesOf(["buy", "sell"])` is `{ buy: 0, sell: 1 }`, with these types: a list of words names its places once. Calls
 * are marked as pure, so that bundlers drop the places that a client does not use.
 */
export function placesOf<const Words extends readonly string[]>(words: Words): Places<Words> {
  const places = new WordPlaces();
  for (const [place, word] of words.entries()) places[word] = place;
  return places as unknown as Places<Words>;
}
