/**
 * Shapes of scenario files. One table defines what is allowed where: the check with its messages, the JSON Schema for
 * editors and the reference page are generated from it.
 */
export type Shape = TextShape | DecimalShape | CountShape | FlagShape | WordShape | MapShape | ListShape | EitherShape;

export interface TextShape {
  readonly kind: "text";
  readonly pattern?: RegExp;
  /** The meaning of the pattern, for the message. */
  readonly wanted?: string;
}
/** Canonical decimal in quotes. */
export interface DecimalShape {
  readonly kind: "decimal";
  /** `all` may take its place. */
  readonly orAll?: true;
}
/** A whole number without quotes. */
export interface CountShape {
  readonly kind: "count";
}
export interface FlagShape {
  readonly kind: "flag";
}
export interface WordShape {
  readonly kind: "word";
  readonly words: readonly string[];
}
export interface MapShape {
  readonly kind: "map";
  readonly keys: Readonly<Record<string, Key>>;
  /** The shape of any other key; none is allowed where this is left out. */
  readonly rest?: Rest;
}
export interface Rest {
  readonly pattern: RegExp;
  /** The name of such a key in messages. */
  readonly called: string;
  readonly shape: Shape;
  readonly doc: string;
}
export interface ListShape {
  readonly kind: "list";
  readonly items: Shape;
}
/** One of several shapes that differ in the kind of value. */
export interface EitherShape {
  readonly kind: "either";
  readonly of: readonly Shape[];
}

export interface Key {
  readonly shape: Shape;
  readonly doc: string;
  readonly required?: true;
}

export const text = (wanted?: string, pattern?: RegExp): TextShape => ({
  kind: "text",
  ...(wanted === undefined ? {} : { wanted }),
  ...(pattern === undefined ? {} : { pattern }),
});
export const decimal: DecimalShape = { kind: "decimal" };
export const count: CountShape = { kind: "count" };
export const flag: FlagShape = { kind: "flag" };
export const word = (words: readonly string[]): WordShape => ({ kind: "word", words });
export const list = (items: Shape): ListShape => ({ kind: "list", items });
export const either = (...of: readonly Shape[]): EitherShape => ({ kind: "either", of });
export const key = (shape: Shape, doc: string): Key => ({ shape, doc });
export const requiredKey = (shape: Shape, doc: string): Key => ({ shape, doc, required: true });
export const map = (keys: Readonly<Record<string, Key>>, rest?: Rest): MapShape => ({
  kind: "map",
  keys,
  ...(rest === undefined ? {} : { rest }),
});
/** A map from names to one shape. */
export const mapOf = (called: string, pattern: RegExp, shape: Shape, doc: string): MapShape =>
  map({}, { pattern, called, shape, doc });

export const CANONICAL_DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/;
