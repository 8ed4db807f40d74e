import type { Field, Fields } from "./fields.ts";
import { ZERO_ADDRESS } from "./transaction.ts";

/**
 * A JSON payload with missing fields set to absent: empty texts, zero numbers, false flags, the first of the words,
 * empty lists. A `required` word has no default. For hand-written transactions; on the wire every field is present
 * (TX-1). Fields that are present stay unchanged, for the decoder to check.
 */
export function completePayload(fields: Fields, given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const values = given as Readonly<Record<string, unknown>>;
  const unknown = Object.entries(values).filter(([name]) => !Object.hasOwn(fields, name));
  const known = Object.entries(fields).map(([name, field]): [string, unknown] => {
    const value = values[name];
    return [name, value === undefined ? absentOf(field) : completeField(field, value)];
  });
  // A field that has to be given stays out, so that the decoder names it as missing.
  return Object.fromEntries([...unknown, ...known.filter(([, value]) => value !== undefined)]);
}

function completeField(field: Field, value: unknown): unknown {
  if (field.kind === "record") return completePayload(field.members, value);
  if (field.kind === "list" && Array.isArray(value))
    return value.map((item) => completeField(field.item as Field, item));
  return value;
}

/** Undefined where a field has no value that means absence: then it has to be given. */
function absentOf(field: Field): unknown {
  switch (field.kind) {
    case "word":
      return field.required === true ? undefined : field.words[0];
    case "flag":
      return false;
    case "count":
      return 0;
    case "list":
      return [];
    case "record":
      return completePayload(field.members, {});
    case "address":
      return field.optional === true ? ZERO_ADDRESS : undefined;
    case "time":
      return field.optional === true ? 0 : undefined;
    case "id":
      return field.optional ? "0" : undefined;
    case "text":
    case "market":
    case "price":
    case "size":
    case "amount":
    case "rate":
      return field.optional ? "" : undefined;
    default:
      return undefined;
  }
}
