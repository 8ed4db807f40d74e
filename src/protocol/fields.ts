/**
 * Kinds of payload fields. One kind says everything about a field: its type in the signed message (EIP-712), its JSON
 * text, and what it is once decoded. Types of payloads are derived from these, nothing is written twice.
 *
 * | kind | EIP-712 | JSON | decoded |
 * |---|---|---|---|
 * | text, market | string | string, at most 64 printable ASCII characters | the same string |
 * | word | string | one of the listed words | its place in the list |
 * | price, size, amount, rate | string | canonical decimal | integer of 1e-8, 1e-8, 1e-6, 1e-9 |
 * | id | uint64 | decimal string | integer |
 * | count | uint32 | integer | integer |
 * | time | uint64 | integer: milliseconds since 1970, or a height | integer |
 * | flag | bool | boolean | boolean |
 * | bytes32 | bytes32 | 0x and 64 lower-case hex digits | the same string |
 * | address | address | 0x and 40 lower-case hex digits | the same string |
 * | bytes | bytes | 0x and hex digits | Uint8Array |
 * | list | T[] | array | array |
 * | record | struct | object | object |
 *
 * A kind made `optional` takes the empty string (or id 0) for absent; absent decodes to 0 for numbers.
 */
import type { Amount, Ppb, PriceE8, SizeE8 } from "../ground/math/fixed.ts";
import type { FieldRule } from "./fieldRules.ts";

export type OrderId = number & { readonly orderId: unique symbol };
/** 0x and 40 lower-case hexadecimal digits. */
export type Address = `0x${string}`;
/** 0x and 64 lower-case hexadecimal digits. */
export type Bytes32 = `0x${string}`;

export interface TextField {
  readonly kind: "text" | "market";
  readonly optional: boolean;
  readonly doc: string;
}
export interface WordField<Words extends readonly string[] = readonly string[]> {
  readonly kind: "word";
  readonly words: Words;
  /** No word is a default: a payload must name one. On the wire every field is there anyway. */
  readonly required?: true;
  readonly doc: string;
}
export interface DecimalField<
  Kind extends "price" | "size" | "amount" | "rate" = "price" | "size" | "amount" | "rate",
> {
  readonly kind: Kind;
  readonly optional: boolean;
  /** Rates may be negative; prices, sizes and amounts may not. */
  readonly signed: boolean;
  readonly doc: string;
}
export interface IdField {
  readonly kind: "id";
  readonly optional: boolean;
  readonly doc: string;
}
export interface CountField {
  readonly kind: "count";
  readonly doc: string;
}
/** A point in time or a height: what passes 32 bits. */
export interface TimeField {
  readonly kind: "time";
  /** Optional in hand-written input: then it is 0. On the wire it is always there. */
  readonly optional?: boolean;
  readonly doc: string;
}
export interface FlagField {
  readonly kind: "flag";
  readonly doc: string;
}
export interface AddressField {
  readonly kind: "address";
  /** Optional in hand-written input: then it is zero. On the wire it is always there. */
  readonly optional?: boolean;
  readonly doc: string;
}
export interface Bytes32Field {
  readonly kind: "bytes32";
  readonly doc: string;
}
export interface BytesField {
  readonly kind: "bytes";
  readonly doc: string;
}
// biome-ignore lint/suspicious/noExplicitAny: the default breaks the cycle between lists and fields
export interface ListField<Item extends Field = any> {
  readonly kind: "list";
  readonly item: Item;
  /** Longest list accepted. */
  readonly most: number;
  readonly doc: string;
}
// biome-ignore lint/suspicious/noExplicitAny: the default breaks the cycle between records and fields
export interface RecordField<Members extends Fields = any> {
  readonly kind: "record";
  /** Name of the struct in the signed message. */
  readonly name: string;
  readonly members: Members;
  /** When a member is needed or refused (ACT-3). */
  readonly rules: readonly FieldRule[];
  readonly doc: string;
}

export type Field =
  | TextField
  | WordField
  | DecimalField
  | IdField
  | CountField
  | TimeField
  | FlagField
  | AddressField
  | Bytes32Field
  | BytesField
  | ListField
  | RecordField;

export type Fields = { readonly [name: string]: Field };

/** What a field is once decoded. */
export type Decoded<F extends Field> = F extends TextField
  ? string
  : F extends WordField
    ? number
    : F extends DecimalField<infer Kind>
      ? { price: PriceE8; size: SizeE8; amount: Amount; rate: Ppb }[Kind]
      : F extends IdField
        ? OrderId
        : F extends CountField | TimeField
          ? number
          : F extends FlagField
            ? boolean
            : F extends AddressField
              ? Address
              : F extends Bytes32Field
                ? Bytes32
                : F extends BytesField
                  ? Uint8Array
                  : F extends ListField<infer Item>
                    ? readonly Decoded<Item>[]
                    : F extends RecordField<infer Members>
                      ? DecodedFields<Members>
                      : never;

export type DecodedFields<Fs extends Fields> = { readonly [K in keyof Fs]: Decoded<Fs[K]> };

/** What a field is in JSON. */
export type Json<F extends Field> =
  F extends WordField<infer Words>
    ? Words[number]
    : F extends CountField | TimeField
      ? number
      : F extends FlagField
        ? boolean
        : F extends ListField<infer Item>
          ? readonly Json<Item>[]
          : F extends RecordField<infer Members>
            ? JsonFields<Members>
            : string;

export type JsonFields<Fs extends Fields> = { readonly [K in keyof Fs]: Json<Fs[K]> };

/** Whether a field is optional in hand-written input: see `completePayload`. */
type MayLack<F> = F extends RequiredWord
  ? false
  : F extends Optional | WordField | FlagField | CountField | ListField
    ? true
    : false;

/** JSON form of a field if missing fields are set to absent. */
export type Given<F extends Field> =
  F extends ListField<infer Item>
    ? readonly Given<Item>[]
    : F extends RecordField<infer Members>
      ? GivenFields<Members>
      : Json<F>;

/** A payload as people write it; `completePayload` makes the wire's of it. */
export type GivenFields<Fs extends Fields> = {
  readonly [K in keyof Fs as MayLack<Fs[K]> extends true ? never : K]: Given<Fs[K]>;
} & { readonly [K in keyof Fs as MayLack<Fs[K]> extends true ? K : never]?: Given<Fs[K]> };

/** A word that a payload must name. */
export interface RequiredWord {
  readonly required: true;
}

/** A field that takes the empty value for absent. */
export interface Optional {
  readonly optional: true;
}

export const text = (doc: string): TextField => ({ kind: "text", optional: false, doc });
export const optionalText = (doc: string): TextField & Optional => ({ kind: "text", optional: true, doc });
export const market = (doc = "Name of the market."): TextField => ({ kind: "market", optional: false, doc });
export const optionalMarket = (doc: string): TextField & Optional => ({ kind: "market", optional: true, doc });
export const word = <const Words extends readonly string[]>(words: Words, doc: string): WordField<Words> => ({
  kind: "word",
  words,
  doc,
});
/** One of several words of which none is a default: a side, a kind, a direction. */
export const choice = <const Words extends readonly string[]>(
  words: Words,
  doc: string,
): WordField<Words> & RequiredWord => ({ kind: "word", words, required: true, doc });
export const price = (doc: string): DecimalField<"price"> => ({ kind: "price", optional: false, signed: false, doc });
export const optionalPrice = (doc: string): DecimalField<"price"> & Optional => ({
  kind: "price",
  optional: true,
  signed: false,
  doc,
});
export const size = (doc: string): DecimalField<"size"> => ({ kind: "size", optional: false, signed: false, doc });
export const optionalSize = (doc: string): DecimalField<"size"> & Optional => ({
  kind: "size",
  optional: true,
  signed: false,
  doc,
});
export const amount = (doc: string): DecimalField<"amount"> => ({
  kind: "amount",
  optional: false,
  signed: false,
  doc,
});
export const optionalAmount = (doc: string): DecimalField<"amount"> & Optional => ({
  kind: "amount",
  optional: true,
  signed: false,
  doc,
});
export const optionalRate = (doc: string): DecimalField<"rate"> & Optional => ({
  kind: "rate",
  optional: true,
  signed: true,
  doc,
});
export const optionalOrderId = (doc: string): IdField & Optional => ({ kind: "id", optional: true, doc });
export const orderId = (doc: string): IdField => ({ kind: "id", optional: false, doc });
export const count = (doc: string): CountField => ({ kind: "count", doc });
export const time = (doc: string): TimeField => ({ kind: "time", doc });
export const optionalTime = (doc: string): TimeField & Optional => ({ kind: "time", optional: true, doc });
export const flag = (doc: string): FlagField => ({ kind: "flag", doc });
export const address = (doc: string): AddressField => ({ kind: "address", doc });
export const optionalAddress = (doc: string): AddressField & Optional => ({ kind: "address", optional: true, doc });
export const bytes32 = (doc: string): Bytes32Field => ({ kind: "bytes32", doc });
export const bytes = (doc: string): BytesField => ({ kind: "bytes", doc });
export const list = <Item extends Field>(item: Item, most: number, doc: string): ListField<Item> => ({
  kind: "list",
  item,
  most,
  doc,
});
export const record = <Members extends Fields>(
  name: string,
  members: Members,
  doc: string,
  rules: readonly FieldRule[] = [],
): RecordField<Members> => ({
  kind: "record",
  name,
  members,
  rules,
  doc,
});

/** Number of digits after the point that a decimal kind keeps. */
export const DECIMALS = { price: 8, size: 8, amount: 6, rate: 9 } as const;

/** Longest text accepted in any field, in characters (NUM-5). */
export const TEXT_MOST = 64;
