/**
 * The type itself if nothing is left out; otherwise a sentence that ends with the missing names. The compiler then
 * quotes it: "Type … is not assignable to type 'the ledger has no line for the event: burned'".
 */
export type Complete<T, Left extends string, Fault extends string> = [Left] extends [never] ? T : `${Fault}: ${Left}`;
