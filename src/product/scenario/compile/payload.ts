import { type ActionName, actions, type Payloads } from "../../../protocol/actions/index.ts";
import { decodePayload } from "../../../protocol/codec.ts";
import { formatHex } from "../../../protocol/codecHex.ts";
import { isValidationError } from "../../../protocol/errors.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { ZERO_ADDRESS, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { isAuthority, type Names } from "../../../venue/simulation/accountNames.ts";
import { type Faults, hintKnown } from "../faults.ts";
import { type Cell, type Entry, entriesOf, type MapCell, type Place, toPlain } from "../parse/cell.ts";
import { isHouseSteps, parseHouseSteps } from "../sugar/houseSteps.ts";
import { parseDuration } from "./duration.ts";
import { LABEL } from "./label.ts";

/** Values that complete a payload besides its own cells. */
export interface PayloadContext {
  readonly names: Names;
  /** Market of actions that name none: the only one there is. */
  readonly market: string | undefined;
  readonly height: number;
  readonly timeMs: number;
  /** Value of `all` for an amount; the amount that is free to move before the block. */
  all(): string;
  /** Value of `$label` for a field: an id in digits, or 0x… for 32 bytes. */
  resolve(label: string, field: Field, name: string, place: Place): string;
}

/** The key of a payload that a field is read from: its name, or without `Id` and `Ids` (`order` for `orderId`). */
export function aliasOf(name: string): string {
  return name.replace(/Id$/, "").replace(/Ids$/, "s");
}

function entryOf(cell: MapCell | undefined, name: string, fields: Fields): Entry | undefined {
  const alias = aliasOf(name);
  return entriesOf(cell).find(({ key }) => key === name || (key === alias && !Object.hasOwn(fields, alias)));
}

/**
 * The decoded payload of an action. Missing fields get defaults: empty, zero, the first word, the only market.
 *
 * @returns undefined if there are faults, which give the reason
 */
export function buildPayload<A extends ActionName>(
  action: A,
  cell: MapCell | undefined,
  place: Place,
  context: PayloadContext,
  faults: Faults,
): Payloads[A] | undefined {
  const { fields } = actions[action] as { fields: Fields };
  const before = faults.list.length;
  const json = jsonOfFields(fields, cell, place, context, faults);
  if (faults.list.length > before) return undefined;
  try {
    return decodePayload(action, json, action);
  } catch (error) {
    if (!isValidationError(error)) throw error;
    return faults.add(placeOfPath(error.path, cell, place, fields), `${error.path}: ${error.reason}`, error.hint);
  }
}

function jsonOfFields(
  fields: Fields,
  cell: MapCell | undefined,
  place: Place,
  context: PayloadContext,
  faults: Faults,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const entry = entryOf(cell, name, fields);
    if (entry !== undefined) {
      json[name] = jsonOf(field, name, entry.value, context, faults);
      continue;
    }
    json[name] = accountPart(name, fields, cell, context) ?? absent(field, name, place, context, faults);
  }
  return json;
}

/** `toSubaccount` of `to: alice/1`. */
function accountPart(name: string, fields: Fields, cell: MapCell | undefined, { names }: PayloadContext) {
  const stem = name === "subaccount" ? "account" : name.endsWith("Subaccount") ? name.slice(0, -10) : undefined;
  if (stem === undefined || fields[stem]?.kind !== "address") return undefined;
  const entry = entryOf(cell, stem, fields);
  return entry?.value.kind === "text" && names.has(entry.value.source)
    ? names.key(entry.value.source).subaccount
    : undefined;
}

function absent(field: Field, name: string, place: Place, context: PayloadContext, faults: Faults): unknown {
  switch (field.kind) {
    case "market":
      if (field.optional) return "";
      if (context.market !== undefined) return context.market;
      return faults.add(place, `${name} is missing`, "name the market: there is more than one");
    case "word":
      if (field.required !== true) return field.words[0];
      return faults.add(place, `${name} is missing`, `write ${name}: ${field.words.join(" or ")}`);
    case "price":
    case "size":
    case "amount":
    case "rate":
      return field.optional ? "" : faults.add(place, `${name} is missing`, `write ${name}: "…"`);
    case "id":
      return field.optional ? "0" : faults.add(place, `${name} is missing`, `write ${aliasOf(name)}: $label`);
    case "address":
      return field.optional === true
        ? ZERO_ADDRESS
        : faults.add(place, `${name} is missing`, "write the name of an account");
    case "count":
    case "time":
      return 0;
    case "flag":
      return false;
    case "bytes32":
      return ZERO_BYTES32;
    case "bytes":
      return "0x";
    case "list":
      return [];
    case "record":
      return jsonOfFields(field.members as Fields, undefined, place, context, faults);
    case "text":
      return "";
  }
}

function jsonOf(field: Field, name: string, cell: Cell, context: PayloadContext, faults: Faults): unknown {
  switch (field.kind) {
    case "list":
      if (cell.kind === "map") return parametersOf(cell);
      return cell.kind === "list"
        ? cell.items.map((item) => jsonOf(field.item as Field, name, item, context, faults))
        : toPlain(cell);
    case "record":
      return cell.kind === "map"
        ? jsonOfFields(field.members as Fields, cell, cell.place, context, faults)
        : toPlain(cell);
    case "address":
      return cell.kind === "text" ? addressOf(cell.source, cell.place, context, faults) : toPlain(cell);
    case "bytes":
      if (cell.kind === "text" && name === "steps" && isHouseSteps(cell.source)) return parseHouseSteps(cell.source);
      // Text is encoded as its characters: a payload that is carried as JSON can be read.
      return cell.kind === "text" && !cell.source.startsWith("0x")
        ? formatHex(new TextEncoder().encode(cell.source))
        : toPlain(cell);
    case "amount":
      return cell.kind === "text" && cell.source === "all" ? context.all() : toPlain(cell);
    case "count":
    case "time":
      return cell.kind === "text" ? relative(cell.source, context) : toPlain(cell);
    default:
      if (cell.kind === "text" && LABEL.test(cell.source)) {
        return context.resolve(cell.source, field, name, cell.place);
      }
      return toPlain(cell);
  }
}

/** `{name: value}` for a list of named parameters. */
function parametersOf(cell: MapCell): unknown {
  return cell.entries.map(({ key, value }) => ({ name: key, value: String(toPlain(value)) }));
}

function addressOf(text: string, place: Place, { names }: PayloadContext, faults: Faults): unknown {
  if (/^0x/.test(text)) return text;
  if (names.has(text) || isAuthority(text)) return names.key(text).address;
  return faults.add(place, `there is no account ${text}`, hintKnown(text, names.all));
}

/** `+3` is three blocks from this one, `+30s` is thirty seconds from this block. */
function relative(text: string, { height, timeMs }: PayloadContext): unknown {
  if (/^\+[0-9]{1,9}$/.test(text)) return height + Number(text.slice(1));
  const ms = text.startsWith("+") ? parseDuration(text.slice(1)) : undefined;
  return ms === undefined ? text : timeMs + ms;
}

/** Place in the file of `placeOrder.parameters[2].value`. */
function placeOfPath(path: string, cell: MapCell | undefined, place: Place, fields: Fields): Place {
  let at: Cell | undefined = cell;
  let found = place;
  for (const [part] of path.slice(path.indexOf(".") + 1).matchAll(/\w+/g)) {
    if (at?.kind === "list") at = at.items[Number(part)];
    else if (at?.kind === "map") at = entryOf(at, part, fields)?.value ?? at.entries[Number(part)]?.value;
    if (at === undefined) break;
    found = at.place;
  }
  return found;
}
