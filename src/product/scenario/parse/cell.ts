/** A place in a file, for messages: lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Length of the part on that line, in characters, at least 1. */
  readonly length: number;
}

/**
 * A value of a scenario file with its place. Numbers keep their text: `source` of a scalar is the written text, without
 * quotes.
 */
export type Cell = MapCell | ListCell | ScalarCell;

export interface MapCell {
  readonly kind: "map";
  readonly place: Place;
  readonly entries: readonly Entry[];
}

export interface ListCell {
  readonly kind: "list";
  readonly place: Place;
  readonly items: readonly Cell[];
}

export interface ScalarCell {
  /** `null` is an empty value; `number` is any number without quotes. */
  readonly kind: "text" | "number" | "flag" | "null";
  readonly place: Place;
  readonly source: string;
  /** Set for text in quotes: columns of its characters begin one later. */
  readonly quoted?: boolean;
}

export interface Entry {
  readonly key: string;
  readonly place: Place;
  readonly value: Cell;
}

/** The value of a key, undefined where it is not there or not a map. */
export function getCell(cell: Cell | undefined, key: string): Cell | undefined {
  if (cell?.kind !== "map") return undefined;
  return cell.entries.find((entry) => entry.key === key)?.value;
}

/** The entries of a map, none for anything else. */
export function entriesOf(cell: Cell | undefined): readonly Entry[] {
  return cell?.kind === "map" ? cell.entries : [];
}

/** The items of a list, none for anything else. */
export function itemsOf(cell: Cell | undefined): readonly Cell[] {
  return cell?.kind === "list" ? cell.items : [];
}

/** The text of a scalar as it was written; undefined for anything else. */
export function textOf(cell: Cell | undefined): string | undefined {
  return cell === undefined || cell.kind === "map" || cell.kind === "list" ? undefined : cell.source;
}

/** The text of a key's scalar. */
export function getText(cell: Cell | undefined, key: string): string | undefined {
  return textOf(getCell(cell, key));
}

/** A part of a text, with its place. */
export function partOf(cell: ScalarCell, from: number, length: number): Place {
  const { place } = cell;
  return { ...place, column: place.column + (cell.quoted === true ? 1 : 0) + from, length: Math.max(length, 1) };
}

/** As plain values: maps as objects, numbers as numbers where they are whole, as text otherwise. */
export function toPlain(cell: Cell): unknown {
  switch (cell.kind) {
    case "map":
      return Object.fromEntries(cell.entries.map(({ key, value }) => [key, toPlain(value)]));
    case "list":
      return cell.items.map(toPlain);
    case "number":
      return Number.isSafeInteger(Number(cell.source)) ? Number(cell.source) : cell.source;
    case "flag":
      return cell.source === "true";
    case "null":
      return null;
    case "text":
      return cell.source;
  }
}
