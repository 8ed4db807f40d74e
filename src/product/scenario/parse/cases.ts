import { type Faults, hintKnown } from "../faults.ts";
import { type Cell, entriesOf, getCell, itemsOf, type MapCell, type ScalarCell, textOf } from "./cell.ts";
import { mergeCells } from "./include.ts";

/** One way to run a file: a variant of its rules, a row of `cases`, a cell of the matrix of `params`. */
export interface CaseCells {
  /** `weak, fee=0.001`; empty where there is only one. */
  readonly name: string;
  readonly variant: string | undefined;
  readonly root: MapCell;
}

interface Row {
  readonly name: string;
  readonly values: ReadonlyMap<string, Cell>;
}

/** Every way to run a file: variants, then cases, then the matrix, the last changing fastest. */
export function expandCases(root: MapCell, faults: Faults): CaseCells[] {
  const variants = entriesOf(getCell(root, "variants"));
  const rows = combine(rowsOfCases(root), rowsOfParams(root, faults));
  const used = new Set<string>();
  const found: CaseCells[] = [];
  const body = without(root, ["variants", "cases", "params"]);
  for (const variant of variants.length === 0 ? [undefined] : variants) {
    const top = variant?.value.kind === "map" ? variant.value : undefined;
    const merged = top === undefined ? body : mergeCells(body, without(top, ["note"]));
    for (const { name, values } of rows) {
      found.push({
        name: [variant?.key, name].filter((part) => part !== undefined && part !== "").join(", "),
        variant: variant?.key,
        root: substitute(merged, values, used, faults) as MapCell,
      });
    }
  }
  const values = new Map(rows.toReversed().flatMap((row) => [...row.values]));
  for (const [name, cell] of values) {
    if (!used.has(name))
      faults.add(cell.place, `nothing uses ${name}`, `write "\${${name}}" where it is meant, or leave it out`);
  }
  return found;
}

function rowsOfCases(root: MapCell): Row[] {
  const cases = entriesOf(getCell(root, "cases"));
  if (cases.length === 0) return [{ name: "", values: new Map() }];
  return cases.map(({ key, value }) => ({
    name: key,
    values: new Map(entriesOf(value).map((entry) => [entry.key, entry.value])),
  }));
}

function rowsOfParams(root: MapCell, faults: Faults): Row[] {
  let rows: Row[] = [{ name: "", values: new Map() }];
  for (const { key, value } of entriesOf(getCell(root, "params"))) {
    if (itemsOf(value).length === 0) {
      // Without values there would be no case, and a file that runs nothing would pass.
      faults.add(value.place, `${key} has no values`, `write ${key}: ["1", "2"]`);
      continue;
    }
    const column = itemsOf(value).map((item) => ({
      name: `${key}=${textOf(item) ?? ""}`,
      values: new Map([[key, item]]),
    }));
    rows = combine(rows, column);
  }
  return rows;
}

function combine(left: readonly Row[], right: readonly Row[]): Row[] {
  return left.flatMap((a) =>
    right.map((b) => ({
      name: [a.name, b.name].filter((name) => name !== "").join(", "),
      values: new Map([...a.values, ...b.values]),
    })),
  );
}

function without(cell: MapCell, keys: readonly string[]): MapCell {
  return { ...cell, entries: cell.entries.filter(({ key }) => !keys.includes(key)) };
}

const HOLE = /\$\{(\w+)\}/g;

/** Fills in `${name}`. A text that is only that becomes the value itself; elsewhere the value's text is set in. */
function substitute(cell: Cell, values: ReadonlyMap<string, Cell>, used: Set<string>, faults: Faults): Cell {
  switch (cell.kind) {
    case "map":
      return {
        ...cell,
        entries: cell.entries.map((entry) => ({ ...entry, value: substitute(entry.value, values, used, faults) })),
      };
    case "list":
      return { ...cell, items: cell.items.map((item) => substitute(item, values, used, faults)) };
    case "text":
      return cell.source.includes("${") ? fill(cell, values, used, faults) : cell;
    default:
      return cell;
  }
}

function fill(cell: ScalarCell, values: ReadonlyMap<string, Cell>, used: Set<string>, faults: Faults): Cell {
  const whole = /^\$\{(\w+)\}$/.exec(cell.source);
  const read = (name: string): Cell | undefined => {
    const value = values.get(name);
    used.add(name);
    if (value === undefined) {
      faults.add(
        cell.place,
        `nothing is called ${name}`,
        `cases or params give it a value; ${hintKnown(name, [...values.keys()])}`,
      );
    }
    return value;
  };
  if (whole !== null) {
    const value = read(whole[1]!);
    return value === undefined ? cell : { ...value, place: cell.place };
  }
  return { ...cell, source: cell.source.replace(HOLE, (hole, name: string) => textOf(read(name)) ?? hole) };
}
