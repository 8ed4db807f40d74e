import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { ZERO_ADDRESS, ZERO_BYTES32 } from "../../../protocol/transaction.ts";

/** What stands in a flow map or list of a file. */
export type Flow = string | number | boolean | readonly Flow[] | { readonly [key: string]: Flow };

/** What is written at a place instead of its value: `$label`, `+3`, the name of an account. */
export type Replace = (field: Field, value: unknown, name: string, path: string) => Flow | undefined;

/** Words that a file must say, though they are the first of theirs. */
const SAID: readonly string[] = ["side", "mode", "direction", "kind"];

/** Whether what is at a path stands there though a file that does not say it would mean the same. */
export type IsSaid = (path: string) => boolean;

/** The long form of a payload: what is not as it would be if it were left out. */
export function cellsOf(
  action: ActionName,
  payload: object,
  replace: Replace,
  isSaid: IsSaid = () => false,
): { readonly [key: string]: Flow } {
  return mapFields(actions[action].fields as Fields, encodePayload(action, payload as never), "", replace, isSaid);
}

function mapFields(
  fields: Fields,
  json: unknown,
  path: string,
  replace: Replace,
  isSaid: IsSaid,
): { readonly [key: string]: Flow } {
  const members = json as Readonly<Record<string, unknown>>;
  const cells: Record<string, Flow> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = members[name];
    const place = path === "" ? name : `${path}.${name}`;
    if (isAccountPart(name, fields) && !isSaid(place)) continue;
    if (isAbsent(field, name, value) && !isSaid(place)) continue;
    cells[name] = mapValue(field, name, value, place, replace, isSaid, members);
  }
  return cells;
}

/** `toSubaccount` is told by the name in `to`. */
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
  isSaid: IsSaid,
  siblings: Readonly<Record<string, unknown>>,
): Flow {
  if (field.kind === "record") return mapFields(field.members as Fields, value, path, replace, isSaid);
  if (field.kind === "list") {
    const items = value as readonly Readonly<Record<string, unknown>>[];
    const item = field.item as Field;
    if (item.kind === "record" && item.name === "Parameter" && areKeys(items.map(({ name: own }) => own))) {
      return Object.fromEntries(items.map((entry) => [String(entry["name"]), String(entry["value"])]));
    }
    return items.map((entry, at) => mapValue(item, name, entry, `${path}.${at}`, replace, isSaid, siblings));
  }
  const subaccount = siblings[name === "account" ? "subaccount" : `${name}Subaccount`];
  return (
    replace(field, field.kind === "address" ? { address: value, subaccount } : value, name, path) ?? plain(field, value)
  );
}

/** Whether names can be the keys of a map: words, each once. */
const areKeys = (names: readonly unknown[]) =>
  names.every((name) => /^[A-Za-z]\w*$/.test(String(name))) && new Set(names).size === names.length;

function plain({ kind }: Field, value: unknown): Flow {
  if (kind === "bytes") {
    const text = Buffer.from((value as string).slice(2), "hex").toString("latin1");
    // JSON that is carried can be read.
    if (/^\{[ -~]*$/.test(text)) return text;
  }
  return value as string | number | boolean;
}

/** Whether a value is what a file that does not say it means. */
function isAbsent(field: Field, name: string, value: unknown): boolean {
  switch (field.kind) {
    case "word":
      return value === field.words[0] && !SAID.includes(name);
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

/** One line of YAML. Texts are in quotes, but for names and sentences that YAML takes as they stand. */
export function writeFlow(flow: Flow): string {
  if (typeof flow === "string")
    return /^(?:\$?[A-Za-z][\w$/ -]*[\w]|[A-Za-z])$/.test(flow) && !WORDS.test(flow) ? flow : JSON.stringify(flow);
  if (typeof flow !== "object") return String(flow);
  if (Array.isArray(flow)) return `[${flow.map(writeFlow).join(", ")}]`;
  const entries = Object.entries(flow as { readonly [key: string]: Flow });
  return entries.length === 0 ? "{}" : `{ ${entries.map(([key, value]) => `${key}: ${writeFlow(value)}`).join(", ")} }`;
}

/** What YAML takes for something else. */
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
