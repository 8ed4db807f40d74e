import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import type { Field, Fields } from "../../../protocol/fields.ts";
import { replaceAt } from "./links.ts";
import type { TransactionLine } from "./script.ts";

type Path = readonly (string | number)[];

/** Maps every single value of a payload; returns the same object if nothing changed. */
export function mapPayload(
  action: ActionName,
  payload: object,
  map: (field: Field, value: unknown, name: string, path: Path) => unknown,
): object {
  return mapFields(actions[action].fields as Fields, payload, [], map) as object;
}

function mapFields(fields: Fields, value: unknown, path: Path, map: Parameters<typeof mapPayload>[2]): unknown {
  const members = value as Readonly<Record<string, unknown>>;
  let mapped: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(fields)) {
    const before = members[name];
    const after = mapValue(field, before, name, [...path, name], map);
    if (after !== before) {
      mapped ??= { ...members };
      mapped[name] = after;
    }
  }
  return mapped ?? value;
}

function mapValue(
  field: Field,
  value: unknown,
  name: string,
  path: Path,
  map: Parameters<typeof mapPayload>[2],
): unknown {
  if (field.kind === "record") return mapFields(field.members as Fields, value, path, map);
  if (field.kind !== "list") return map(field, value, name, path);
  const items = value as readonly unknown[];
  const mapped = items.map((item, at) => mapValue(field.item as Field, item, name, [...path, at], map));
  return mapped.every((item, at) => item === items[at]) ? items : mapped;
}

const starts = (path: Path, start: Path) => start.every((step, at) => path[at] === step);

/** A line with another value at a path, and without links into it. */
export function withValue(line: TransactionLine, path: Path, value: unknown): TransactionLine {
  return {
    ...line,
    payload: replaceAt(line.payload, path, 0, value) as object,
    links: line.links.filter((link) => !starts(link.path, path)),
  };
}

/** A line with only some elements of a list in its payload; links follow their elements. */
export function withElements(line: TransactionLine, path: Path, kept: readonly number[]): TransactionLine {
  const list = path.reduce<unknown>((tree, step) => (tree as Record<string | number, unknown>)[step], line.payload);
  const elements = kept.map((at) => (list as readonly unknown[])[at]);
  const links = line.links.flatMap((link) => {
    if (!starts(link.path, path)) return [link];
    const at = kept.indexOf(link.path[path.length] as number);
    return at < 0 ? [] : [{ ...link, path: [...path, at, ...link.path.slice(path.length + 1)] }];
  });
  return { ...line, payload: replaceAt(line.payload, path, 0, elements) as object, links };
}

/** Paths of the non-empty lists of a payload, with their lengths. */
export function listsOf({ action, payload }: TransactionLine): { readonly path: Path; readonly length: number }[] {
  const found: { readonly path: Path; readonly length: number }[] = [];
  const visit = (field: Field, value: unknown, path: Path): void => {
    if (field.kind === "record") {
      for (const [name, of] of Object.entries(field.members as Fields))
        visit(of, (value as Readonly<Record<string, unknown>>)[name], [...path, name]);
    } else if (field.kind === "list") {
      const items = value as readonly unknown[];
      if (items.length > 0) found.push({ path, length: items.length });
    }
  };
  for (const [name, field] of Object.entries(actions[action].fields as Fields))
    visit(field, (payload as Readonly<Record<string, unknown>>)[name], [name]);
  return found;
}
