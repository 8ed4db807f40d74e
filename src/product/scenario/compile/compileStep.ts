import type { Domain } from "../../../protocol/action.ts";
import { ACTION_NAMES, type ActionName, actions } from "../../../protocol/actions/index.ts";
import { isAuthority, type Names } from "../../../venue/simulation/accountNames.ts";
import { type Faults, hintKnown } from "../faults.ts";
import {
  type Cell,
  type Entry,
  entriesOf,
  getCell,
  getText,
  itemsOf,
  type MapCell,
  type Place,
  textOf,
} from "../parse/cell.ts";
import { parseSugar } from "../sugar/parseSugar.ts";
import type { PlannedStep, Relative } from "./plan.ts";
import { stepWords } from "./words.ts";

/** Header keys that may make a transaction inadmissible. */
const ODD = [
  "nonce",
  "domain",
  "validFrom",
  "validUntil",
  "signer",
  "authorization",
  "badSignature",
  "network",
  "version",
  "envelope",
];

/** One transaction of a block, from its sentence or its long form. */
export function compileStep(cell: MapCell, names: Names, faults: Faults): PlannedStep | undefined {
  const sentence = cell.entries.find(({ key }) => names.has(key) || isAuthority(key));
  const verbs = cell.entries.filter(({ key }) => (ACTION_NAMES as readonly string[]).includes(key));
  const said = sentence?.value.kind === "text" ? parseSugar(sentence.value, faults) : undefined;
  if (sentence !== undefined && said === undefined) return undefined;
  const [verb] = verbs;
  if ((said === undefined) === (verb === undefined) || verbs.length > 1) {
    const known = cell.entries.find(({ key }) => !KNOWN.includes(key) && !verbs.some((other) => other.key === key));
    if (known !== undefined) {
      return faults.add(known.place, `there is no account ${known.key}`, hintKnown(known.key, names.all));
    }
    return faults.add(cell.place, "a transaction is one action", "write name: sentence, or from: name with one action");
  }
  if (!checkKeys(cell, sentence ?? verb!, names, faults)) return undefined;
  const action = said?.action ?? (verb!.key as ActionName);
  const payload: MapCell =
    said !== undefined
      ? { kind: "map", place: sentence!.value.place, entries: said.entries }
      : verb!.value.kind === "map"
        ? verb!.value
        : { kind: "map", place: verb!.place, entries: [] };
  const who = readWho(cell, sentence, action, names, faults);
  if (who === undefined) return undefined;
  const labels = readLabels(getCell(cell, "as"));
  if (said?.label !== undefined) labels.push(said.label.name);
  return {
    place: cell.place,
    who,
    action,
    payload,
    labels,
    expect: getCell(cell, "expect"),
    words: stepWords(who, action, payload, said === undefined ? undefined : textOf(sentence!.value)),
    nonce: readRelative(getCell(cell, "nonce")),
    domain: getText(cell, "domain") as Domain | undefined,
    validFrom: readRelative(getCell(cell, "validFrom")),
    validUntil: readRelative(getCell(cell, "validUntil")),
    signer: readName(getCell(cell, "signer"), names, faults),
    authorization: getText(cell, "authorization"),
    badSignature: getText(cell, "badSignature") === "true",
    network: getText(cell, "network"),
    version: numberOf(getText(cell, "version")),
    envelope: numberOf(getText(cell, "envelope")),
    replaces: getText(cell, "replaces"),
    clientTxId: getText(cell, "clientTxId"),
    isOdd: entriesOf(cell).some(({ key }) => ODD.includes(key)),
  };
}

/** Nothing but the header is next to the one action of a transaction. */
function checkKeys(cell: MapCell, action: Entry, names: Names, faults: Faults): boolean {
  const before = faults.list.length;
  const isSentence = names.has(action.key) || isAuthority(action.key);
  for (const entry of cell.entries) {
    const { key, place } = entry;
    if (entry === action) continue;
    if (names.has(key) || isAuthority(key)) {
      faults.add(place, `${key} is next to another action`, "a transaction is one action: write one item for each");
    } else if (key === "from" && isSentence) {
      faults.add(place, `from is next to a sentence of ${action.key}`, "leave it out: the sentence says who acts");
    } else if (!KNOWN.includes(key)) faults.add(place, `unknown key ${key}`, hintKnown(key, KNOWN));
  }
  return faults.list.length === before;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

const KNOWN = ["from", "as", "expect", "note", "clientTxId", "replaces", ...ODD];

/** A step derived from another notation of the file. */
export function plainStep(who: string, action: ActionName, payload: MapCell, words: string): PlannedStep {
  return {
    place: payload.place,
    who,
    action,
    payload,
    labels: [],
    expect: undefined,
    words,
    nonce: undefined,
    domain: undefined,
    validFrom: undefined,
    validUntil: undefined,
    signer: undefined,
    authorization: undefined,
    badSignature: false,
    network: undefined,
    version: undefined,
    envelope: undefined,
    replaces: undefined,
    clientTxId: undefined,
    isOdd: false,
  };
}

function readWho(
  cell: MapCell,
  sentence: Entry | undefined,
  action: ActionName,
  names: Names,
  faults: Faults,
): string | undefined {
  if (sentence !== undefined) return sentence.key;
  const from = getCell(cell, "from");
  const { authority } = { authority: undefined, ...actions[action] } as { authority?: string | undefined };
  if (from === undefined) {
    return authority ?? faults.add(cell.place, "from is missing", "write from: and the name of an account");
  }
  return readName(from, names, faults, true);
}

function readName(cell: Cell | undefined, names: Names, faults: Faults, mayBeAuthority = true): string | undefined {
  const name = textOf(cell);
  if (cell === undefined || name === undefined) return undefined;
  if (names.has(name) || (mayBeAuthority && isAuthority(name))) return name;
  return faults.add(cell.place, `there is no account ${name}`, hintKnown(name, names.all));
}

function readLabels(cell: Cell | undefined): string[] {
  if (cell?.kind === "list") return itemsOf(cell).map((item) => textOf(item) ?? "");
  const text = textOf(cell);
  return text === undefined ? [] : [text];
}

function readRelative(cell: Cell | undefined): Relative | undefined {
  const text = textOf(cell);
  return text === undefined ? undefined : { base: Number(text), isRelative: /^[+-]/.test(text) };
}

/** Places of the labels that a cell uses, with their names. */
export function usesOf(cell: Cell | undefined): { readonly name: string; readonly place: Place }[] {
  if (cell === undefined) return [];
  switch (cell.kind) {
    case "map":
      return cell.entries.flatMap(({ key, place, value }) => [
        ...(key.startsWith("$") ? [{ name: key.slice(1), place }] : []),
        ...usesOf(value),
      ]);
    case "list":
      return cell.items.flatMap(usesOf);
    default:
      return /^\$[a-zA-Z][\w-]*$/.test(cell.source) ? [{ name: cell.source.slice(1), place: cell.place }] : [];
  }
}
