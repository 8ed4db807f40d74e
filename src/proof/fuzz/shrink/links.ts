import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { carriedOf } from "./carried.ts";
import type { Link, TransactionLine } from "./script.ts";

/** A place in a payload that references something of the chain. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly kind: "id" | "grant" | "height" | "time";
  readonly value: unknown;
}

/** Actions whose payload can reference something of the chain; payloads of other actions are never walked. */
const NAMES_SOMETHING: ReadonlySet<string> = new Set(
  Object.values(actions)
    .filter(({ fields }) => Object.entries(fields as Fields).some(([name, field]) => mayName(name, field)))
    .map(({ name }) => name),
);

function mayName(name: string, field: Field): boolean {
  if (field.kind === "list") return mayName(name, field.item as Field);
  if (field.kind === "record")
    return Object.entries(field.members as Fields).some(([member, of]) => mayName(member, of));
  return kindOf(name, field) !== undefined;
}

function kindOf(name: string, { kind }: Field): Place["kind"] | undefined {
  switch (kind) {
    case "id":
      return "id";
    case "time":
      return name.endsWith("Height") ? "height" : "time";
    case "bytes32":
      return "grant";
    default:
      return undefined;
  }
}

/** Places of a payload that reference orders, intents, grants, heights or times; empty references (0) are left out. */
export function placesOf(action: ActionName, payload: object): Place[] {
  const found: Place[] = [];
  if (NAMES_SOMETHING.has(action)) walk(actions[action].fields as Fields, payload, [], found);
  return found;
}

/** First step of paths into a carried transaction; no field has this name. */
const CARRIED = "carried";

/** Places of a payload and of the transaction that it carries. */
export function placesWithin(action: ActionName, payload: object): Place[] {
  const carried = carriedOf(action, payload);
  if (carried === undefined) return placesOf(action, payload);
  const inner = placesOf(carried.action, carried.payload);
  return [...placesOf(action, payload), ...inner.map((place) => ({ ...place, path: [CARRIED, ...place.path] }))];
}

/** Links into a carried transaction, with paths relative to that transaction. */
export function linksOfCarried(links: readonly Link[]): Link[] {
  return links.filter(({ path }) => path[0] === CARRIED).map((link) => ({ ...link, path: link.path.slice(1) }));
}

function walk(fields: Fields, payload: object, path: readonly (string | number)[], found: Place[]): void {
  for (const [name, field] of Object.entries(fields)) {
    visit(name, field, (payload as Readonly<Record<string, unknown>>)[name], [...path, name], found);
  }
}

function visit(name: string, field: Field, value: unknown, path: readonly (string | number)[], found: Place[]): void {
  if (field.kind === "list") {
    (value as readonly unknown[]).forEach((item, at) => {
      visit(name, field.item as Field, item, [...path, at], found);
    });
  } else if (field.kind === "record") walk(field.members as Fields, value as object, path, found);
  else {
    const kind = kindOf(name, field);
    if (kind !== undefined && value !== 0) found.push({ path, kind, value });
  }
}

/**
 * Payload of a line with the values of its links; the carried transaction is encoded again only if one of its values
 * changed.
 */
export function fillLine({ action, payload, links }: TransactionLine, read: (link: Link) => unknown): object {
  const inner = linksOfCarried(links);
  if (inner.length === 0) return fillIn(payload, links, read);
  const own = links.filter(({ path }) => path[0] !== CARRIED);
  const filled = fillIn(payload, own, read);
  const carried = carriedOf(action, payload);
  if (carried === undefined) return filled;
  const known = new Map(placesOf(carried.action, carried.payload).map(({ path, value }) => [path.join("."), value]));
  if (inner.every((link) => known.get(link.path.join(".")) === read(link))) return filled;
  const json = encodePayload(carried.action, fillIn(carried.payload, inner, read) as never);
  return { ...filled, payload: new TextEncoder().encode(JSON.stringify(json)) };
}

/** Copies a payload with other values at some places. */
export function fillIn(payload: object, links: readonly Link[], read: (link: Link) => unknown): object {
  let filled = payload;
  for (const link of links) filled = replaceAt(filled, link.path, 0, read(link)) as object;
  return filled;
}

/** Copies a tree of objects and lists with another value at one path; the rest is shared. */
export function replaceAt(tree: unknown, path: readonly (string | number)[], depth: number, value: unknown): unknown {
  if (depth === path.length) return value;
  const step = path[depth]!;
  if (Array.isArray(tree)) return tree.with(step as number, replaceAt(tree[step as number], path, depth + 1, value));
  const members = tree as Readonly<Record<string, unknown>>;
  return { ...members, [step]: replaceAt(members[step], path, depth + 1, value) };
}
