/**
 * Values of payload fields from JSON and back. Strict both ways: every value has exactly one text and every other text
 * is refused (NUM-5, TX-4). Decoders are built once per field from the descriptors.
 */
import { DecimalError, formatDecimal, scanDecimal } from "../ground/math/decimal.ts";
import { LIMIT } from "../ground/math/fixed.ts";
import { bytesOfHex, formatHex } from "./codecHex.ts";
import { ValidationError, type ValidationFault } from "./errors.ts";
import {
  type Address,
  type Bytes32,
  DECIMALS,
  type DecimalField,
  type Field,
  type Fields,
  TEXT_MOST,
} from "./fields.ts";

/** Value of a JSON field, or a `ValidationError` that names `path`. */
export type Decode<Value = unknown> = (value: unknown, path: string) => Value;
/** JSON of a decoded value. */
export type Encode = (value: unknown) => unknown;

/** Greatest count: 32 bits without sign. */
export const COUNT_MOST = 0xffff_ffff;

/** @throws {ValidationError} always */
export function refuse(fault: ValidationFault, path: string, reason: string, hint: string): never {
  throw new ValidationError({ fault, path, reason, hint });
}

/** Any value, short enough for a message and in printable ASCII. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    const quoted = JSON.stringify(value.length > 48 ? `${value.slice(0, 45)}...` : value);
    return quoted.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "undefined" ? "nothing" : `an ${typeof value}`;
}

/** A key as a part of a path: as it is, or quoted where it could be taken for something else. */
export function showKey(key: string): string {
  return /^\w{1,40}$/.test(key) ? key : show(key);
}

function wrongType(value: unknown, path: string, wanted: string): never {
  return refuse("wrongType", path, `${show(value)} is not ${wanted}`, `write ${wanted}`);
}

/** Text of at most `TEXT_MOST` printable ASCII characters. */
export function decodeText(value: unknown, path: string): string {
  if (typeof value !== "string") return wrongType(value, path, "text");
  if (value.length > TEXT_MOST) {
    return refuse("tooLarge", path, `${value.length} characters`, `write at most ${TEXT_MOST}`);
  }
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < 32 || code > 126) {
      const shown = `character ${at + 1} is U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
      return refuse("malformed", path, shown, "write printable ASCII characters only");
    }
  }
  return value;
}

/** Text with something in it. */
export function decodeFullText(value: unknown, path: string): string {
  if (value === "") return refuse("empty", path, "empty text", "this field needs a value");
  return decodeText(value, path);
}

function decoderOfDecimal({ kind, optional, signed }: DecimalField): Decode<number> {
  const decimals = DECIMALS[kind];
  return (value, path) => {
    if (typeof value !== "string") return wrongType(value, path, 'a decimal in quotes such as "0.5"');
    if (value === "") {
      if (optional) return 0;
      return refuse("empty", path, "empty text", `this field needs a ${kind}`);
    }
    if (value.length > TEXT_MOST) {
      return refuse("tooLarge", path, `${value.length} characters`, `write at most ${TEXT_MOST}`);
    }
    const number = scanDecimal(value, decimals);
    if (typeof number === "string") return refuseDecimal(number, value, decimals, path);
    if (number < 0 && !signed) {
      return refuse("range", path, `${show(value)} is negative`, `a ${kind} is at least 0`);
    }
    if (number === 0 && optional) {
      return refuse("malformed", path, '"0" has the meaning of nothing here', "leave the text empty");
    }
    return number;
  };
}

function refuseDecimal(
  fault: "malformed" | "precision" | "range",
  text: string,
  decimals: number,
  path: string,
): never {
  const reason =
    fault === "malformed"
      ? `${show(text)} is not a canonical decimal`
      : new DecimalError(fault, text, decimals).message;
  const hints = {
    malformed: "write digits, at most one point, no leading or trailing zeros, no exponent",
    precision: `round to ${decimals} digits`,
    range: "write a smaller number",
  };
  return refuse(fault, path, reason, hints[fault]);
}

/** A whole number written as decimal text, from `least` to the storage limit. */
export function decodeWholeText(value: unknown, path: string, least: number): number {
  if (typeof value !== "string") return wrongType(value, path, 'a whole number in quotes such as "1"');
  if (value.length > TEXT_MOST) {
    return refuse("tooLarge", path, `${value.length} characters`, `write at most ${TEXT_MOST}`);
  }
  const number = scanDecimal(value, 0);
  if (number === "range") return refuse("range", path, `${show(value)} is too large`, `write at most ${LIMIT}`);
  if (typeof number === "string") {
    return refuse("malformed", path, `${show(value)} is not a whole number`, "write digits without leading zeros");
  }
  if (number < least) return refuse("range", path, `${show(value)} is too small`, `write at least ${least}`);
  return number;
}

/** A JSON number that is whole and from 0 to `most`. */
export function decodeInteger(value: unknown, path: string, most: number): number {
  if (typeof value !== "number") return wrongType(value, path, "a whole number without quotes");
  if (!Number.isInteger(value) || Object.is(value, -0)) {
    return refuse(
      "malformed",
      path,
      `${Object.is(value, -0) ? "-0" : value} is not a whole number`,
      "write digits only",
    );
  }
  if (value < 0 || value > most) return refuse("range", path, `${value} is out of range`, `write 0 to ${most}`);
  return value;
}

/** The place of a word in its list. */
export function decodeWord(value: unknown, path: string, words: readonly string[]): number {
  if (typeof value !== "string") return wrongType(value, path, "text");
  const place = words.indexOf(value);
  if (place < 0) return refuse("unknownWord", path, `${show(value)} is no known word`, `write ${words.join(", ")}`);
  return place;
}

const HEX = /^0x(?:[0-9a-f]{2})*$/;

/** @param size number of bytes, or undefined for any */
export function decodeHex(value: unknown, path: string, size: number | undefined): `0x${string}` {
  const wanted = size === undefined ? "0x and pairs of hex digits" : `0x and ${size * 2} hex digits`;
  if (typeof value !== "string") return wrongType(value, path, wanted);
  if (!HEX.test(value)) {
    const hint = HEX.test(value.toLowerCase()) ? "write lower-case digits" : `write ${wanted}, lower case`;
    return refuse("malformed", path, `${show(value)} is not lower-case hex`, hint);
  }
  if (size !== undefined && value.length !== 2 + size * 2) {
    return refuse("malformed", path, `${(value.length - 2) / 2} bytes`, `write ${wanted}`);
  }
  return value as `0x${string}`;
}

export const decodeAddress = (value: unknown, path: string): Address => decodeHex(value, path, 20);
export const decodeBytes32 = (value: unknown, path: string): Bytes32 => decodeHex(value, path, 32);

/** An object with exactly these keys of its own. Inherited keys do not count, so no prototype can lend one. */
export function checkKeys(
  value: unknown,
  path: string,
  names: readonly string[],
): asserts value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) wrongType(value, path, "an object");
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of names) {
    if (!Object.hasOwn(value, name)) {
      refuse("missingField", at(name), "missing", "every field is always present; absent is the empty text or zero");
    }
  }
  const keys = Object.keys(value);
  if (keys.length === names.length) return;
  const unknown = keys.find((key) => !names.includes(key)) ?? "";
  refuse(
    "unknownField",
    at(showKey(unknown)),
    "unknown field",
    `leave it out; known are ${names.join(", ") || "none"}`,
  );
}

/** Decoder of an object with exactly these fields. */
export function decoderOfFields(fields: Fields): Decode<Readonly<Record<string, unknown>>> {
  const names = Object.keys(fields);
  const decoders = names.map((name) => decoderOf(fields[name]!));
  return (value, path) => {
    checkKeys(value, path, names);
    const decoded: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      decoded[name] = decoders[index]!(value[name], `${path}.${name}`);
    }
    return decoded;
  };
}

function decoderOf(field: Field): Decode {
  switch (field.kind) {
    case "text":
    case "market":
      return field.optional ? decodeText : decodeFullText;
    case "word":
      return (value, path) => decodeWord(value, path, field.words);
    case "price":
    case "size":
    case "amount":
    case "rate":
      return decoderOfDecimal(field);
    case "id": {
      const least = field.optional ? 0 : 1;
      return (value, path) => decodeWholeText(value, path, least);
    }
    case "count":
      return (value, path) => decodeInteger(value, path, COUNT_MOST);
    case "time":
      return (value, path) => decodeInteger(value, path, LIMIT);
    case "flag":
      return (value, path) => (typeof value === "boolean" ? value : wrongType(value, path, "true or false"));
    case "address":
      return decodeAddress;
    case "bytes32":
      return decodeBytes32;
    case "bytes":
      return (value, path) => bytesOfHex(decodeHex(value, path, undefined));
    case "list": {
      const item = decoderOf(field.item as Field);
      const { most } = field;
      return (value, path) => {
        if (!Array.isArray(value)) return wrongType(value, path, "a list");
        if (value.length > most) {
          return refuse("tooLarge", path, `${value.length} entries`, `write at most ${most}`);
        }
        // Not map: it would skip the holes of a sparse list.
        return Array.from(value, (entry: unknown, index) => item(entry, `${path}[${index}]`));
      };
    }
    case "record":
      return decoderOfFields(field.members as Fields);
  }
}

/** Encoder of an object with these fields; the inverse of `decoderOfFields`. */
export function encoderOfFields(fields: Fields): Encode {
  const names = Object.keys(fields);
  const encoders = names.map((name) => encoderOf(fields[name]!));
  return (value) => {
    const members = value as Readonly<Record<string, unknown>>;
    const json: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      json[name] = encoders[index]!(members[name]);
    }
    return json;
  };
}

function encoderOf(field: Field): Encode {
  switch (field.kind) {
    case "text":
    case "market":
    case "count":
    case "time":
    case "flag":
    case "address":
    case "bytes32":
      return (value) => value;
    case "word":
      return (value) => field.words[value as number];
    case "price":
    case "size":
    case "amount":
    case "rate": {
      const decimals = DECIMALS[field.kind];
      const zero = field.optional ? "" : "0";
      return (value) => (value === 0 ? zero : formatDecimal(value as number, decimals));
    }
    case "id":
      return (value) => String(value);
    case "bytes":
      return (value) => formatHex(value as Uint8Array);
    case "list": {
      const item = encoderOf(field.item as Field);
      return (value) => (value as readonly unknown[]).map(item);
    }
    case "record":
      return encoderOfFields(field.members as Fields);
  }
}
