import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { ZERO_ADDRESS, ZERO_BYTES32 } from "../../../protocol/transaction.ts";

/** A value in a flow map or list of a file. */
export type Flow = string | number | boolean | readonly Flow[] | { readonly [key: string]: Flow };

/** Replacement for a value: `$label`, `+3`, the name of an account. */
export type Replace = (field: Field, value: unknown, name: string, path: string) => Flow | undefined;

/** Fields that a file must write even if they have their first word. */
const WRITTEN_ALWAYS: readonly string[] = ["side", "mode", "direction", "kind"];

/** True if the value at a path is written although it is the default. */
export type IsWritten = (path: string) => boolean;

/** Long form of a payload: all values that are not defaults. */
export function cellsOf(
  action: ActionName,
  payload: object,
  replace: Replace,
  isWritten: IsWritten = () => false,
): { readonly [key: string]: Flow } {
  return mapFields(actions[action].fields as Fields, encodePayload(action, payload as never), "", replace, isWritten);
}

function mapFields(
  fields: Fields,
  json: unknown,
  path: string,
  replace: Replace,
  isWritten: IsWritten,
): { readonly [key: string]: Flow } {
  const members = json as Readonly<Record<string, unknown>>;
  const cells: Record<string, Flow> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = members[name];
    const place = path === "" ? name : `${path}.${name}`;
    if (isAccountPart(name, fields) && !isWritten(place)) continue;
    if (isAbsent(field, name, value) && !isWritten(place)) continue;
    cells[name] = mapValue(field, name, value, place, replace, isWritten, members);
  }
  return cells;
}

/** `toSubaccount` is part of the name in `to`. */
function isAccountPart(name: string, fields: Fields): boolean {
  const stem = name === "subaccount" ? "account" : name.endsWith("Subaccount") ? name.slice(0, -10) : "";
  return fields[stem]?.kind === "address";
}

function mapValue(
  field: Field,
  name: string,
  value: unknown,
  path: string,
  replace: Replace,
  isWritten: IsWritten,
  siblings: Readonly<Record<string, unknown>>,
): Flow {
  if (field.kind === "record") return mapFields(field.members as Fields, value, path, replace, isWritten);
  if (field.kind === "list") {
    const items = value as readonly Readonly<Record<string, unknown>>[];
    const item = field.item as Field;
    if (item.kind === "record" && item.name === "Parameter" && areKeys(items.map(({ name: own }) => own))) {
      return Object.fromEntries(items.map((entry) => [String(entry["name"]), String(entry["value"])]));
    }
    return items.map((entry, at) => mapValue(item, name, entry, `${path}.${at}`, replace, isWritten, siblings));
  }
  const subaccount = siblings[name === "account" ? "subaccount" : `${name}Subaccount`];
  return (
    replace(field, field.kind === "address" ? { address: value, subaccount } : value, name, path) ?? plain(field, value)
  );
}

/** True if names can be keys of a map: distinct words. */
const areKeys = (names: readonly unknown[]) =>
  names.every((name) => /^[A-Za-z]\w*$/.test(String(name))) && new Set(names).size === names.length;

function plain({ kind }: Field, value: unknown): Flow {
  if (kind === "bytes") {
    const text = Buffer.from((value as string).slice(2), "hex").toString("latin1");
    // JSON that is carried stays readable.
    if (/^\{[ -~]*$/.test(text)) return text;
  }
  return value as string | number | boolean;
}

/** True if a value is the default of its field. */
function isAbsent(field: Field, name: string, value: unknown): boolean {
  switch (field.kind) {
    case "word":
      return value === field.words[0] && !WRITTEN_ALWAYS.includes(name);
    case "flag":
      return value === false;
    case "count":
    case "time":
      return value === 0;
    case "bytes":
      return value === "0x";
    case "address":
      return field.optional === true && value === ZERO_ADDRESS;
    case "bytes32":
      return value === ZERO_BYTES32;
    case "list":
      return (value as readonly unknown[]).length === 0;
    case "id":
      return field.optional && value === "0";
    case "price":
    case "size":
    case "amount":
    case "rate":
    case "text":
    case "market":
      return field.optional ? value === "" : false;
    default:
      return value === "";
  }
}

/** Formats one line of YAML. Texts are quoted, except names and sentences that YAML accepts unquoted. */
export function writeFlow(flow: Flow): string {
  if (typeof flow === "string")
    return /^(?:\$?[A-Za-z][\w$/ -]*[\w]|[A-Za-z])$/.test(flow) && !WORDS.test(flow) ? flow : JSON.stringify(flow);
  if (typeof flow !== "object") return String(flow);
  if (Array.isArray(flow)) return `[${flow.map(writeFlow).join(", ")}]`;
  const entries = Object.entries(flow as { readonly [key: string]: Flow });
  return entries.length === 0 ? "{}" : `{ ${entries.map(([key, value]) => `${key}: ${writeFlow(value)}`).join(", ")} }`;
}

/** Words that YAML reads as another type. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
