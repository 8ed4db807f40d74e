import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Faults } from "../faults.ts";
import { type Cell, type Entry, entriesOf, getCell, itemsOf, type MapCell, type Place, textOf } from "./cell.ts";
import { readYaml } from "./readYaml.ts";

/** Reads a file's text; a test or an editor may bring its own. */
export type ReadText = (path: string) => string;

export const readTextFile: ReadText = (path) => readFileSync(path, "utf8");

/**
 * Reads a scenario file with the files that it includes. Keys of the file itself have precedence, then those of later
 * included files. Maps are merged key by key; lists are replaced, not joined.
 */
export function loadCells(file: string, faults: Faults, readText: ReadText = readTextFile): MapCell | undefined {
  return load(file, faults, readText, [], { file, line: 1, column: 1, length: 1 });
}

function load(
  file: string,
  faults: Faults,
  readText: ReadText,
  above: readonly string[],
  from: Place,
): MapCell | undefined {
  let text: string;
  try {
    text = readText(file);
  } catch {
    return faults.add(from, `there is no file ${file}`, "paths are taken from the folder of the file that includes");
  }
  const cell = readYaml(text, file, faults);
  if (cell === undefined) return undefined;
  if (cell.kind !== "map") return faults.add(cell.place, "a scenario is a map of keys", "start with scenario: <name>");
  const chain = [...above, file];
  let merged: MapCell | undefined;
  for (const item of itemsOf(getCell(cell, "include"))) {
    const path = join(dirname(file), textOf(item) ?? "");
    if (chain.includes(path)) {
      faults.add(item.place, `${path} includes itself`, `${[...chain, path].join(" > ")}: break the circle`);
      continue;
    }
    const included = load(path, faults, readText, chain, item.place);
    if (included !== undefined) merged = merged === undefined ? included : mergeCells(merged, included);
  }
  const own: MapCell = { ...cell, entries: cell.entries.filter(({ key }) => key !== "include") };
  return merged === undefined ? own : mergeCells(merged, own);
}

/** `over` on top of `under`: maps key by key, everything else replaced. Keys keep the order of `under`. */
export function mergeCells(under: MapCell, over: MapCell): MapCell {
  const entries: Entry[] = under.entries.map((entry) => {
    const top = over.entries.find(({ key }) => key === entry.key);
    if (top === undefined) return entry;
    return { ...top, value: mergeValues(entry.value, top.value) };
  });
  const known = new Set(entriesOf(under).map(({ key }) => key));
  return {
    kind: "map",
    place: over.place,
    entries: [...entries, ...over.entries.filter(({ key }) => !known.has(key))],
  };
}

function mergeValues(under: Cell, over: Cell): Cell {
  return under.kind === "map" && over.kind === "map" ? mergeCells(under, over) : over;
}
