import { Faults, hintKnown, suggest } from "../faults.ts";
import type { Cell, MapCell, ScalarCell } from "../parse/cell.ts";
import { CANONICAL_DECIMAL, type DecimalShape, type MapShape, type Shape } from "./shape.ts";

const WHOLE = /^(0|[1-9][0-9]*)$/;

/** Compares a value with a shape; each difference becomes a fault with its place and a hint. */
export function checkShape(cell: Cell, shape: Shape, faults: Faults): void {
  switch (shape.kind) {
    case "map":
      if (cell.kind === "map") checkMap(cell, shape, faults);
      else wrongKind(cell, shape, faults);
      return;
    case "list":
      if (cell.kind !== "list") wrongKind(cell, shape, faults);
      else for (const item of cell.items) checkShape(item, shape.items, faults);
      return;
    case "either": {
      const fitting = shape.of.filter((option) => takesKind(option, cell));
      if (fitting.length === 0) wrongKind(cell, shape, faults);
      else if (fitting.length === 1) checkShape(cell, fitting[0]!, faults);
      else if (cell.kind === "map" || cell.kind === "list") checkNearest(cell, fitting, faults);
      else checkScalarChoice(cell, fitting, faults);
      return;
    }
    default:
      if (cell.kind === "map" || cell.kind === "list") wrongKind(cell, shape, faults);
      else checkScalar(cell, shape, faults);
  }
}

function checkMap(cell: MapCell, shape: MapShape, faults: Faults): void {
  for (const { key, place, value } of cell.entries) {
    const known = Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
    if (known !== undefined) checkShape(value, known.shape, faults);
    else if (isRest(key, value, shape)) checkShape(value, shape.rest!.shape, faults);
    else {
      const names = Object.keys(shape.keys);
      const hint =
        shape.rest === undefined ? hintKnown(key, names) : `${hintKnown(key, names)}; or ${shape.rest.called}`;
      faults.add(place, `unknown key ${key}`, names.length === 0 ? `write ${shape.rest?.called ?? "nothing"}` : hint);
    }
  }
  for (const [name, { required }] of Object.entries(shape.keys)) {
    if (required !== true || cell.entries.some(({ key }) => key === name)) continue;
    faults.add(cell.place, `${name} is missing`, `write ${name}: ${describe(shape.keys[name]!.shape)}`);
  }
}

/** Whether a key is one of the further ones; not, where its value cannot be one and it is nearly a known key. */
function isRest(key: string, value: Cell, { keys, rest }: MapShape): boolean {
  if (rest === undefined || !rest.pattern.test(key)) return false;
  return takesKind(rest.shape, value) || suggest(key, Object.keys(keys)) === undefined;
}

/** Several shapes of a map or a list: the faults of the one that has fewest, of several the last. */
function checkNearest(cell: Cell, shapes: readonly Shape[], faults: Faults): void {
  let nearest: Faults | undefined;
  for (const shape of shapes) {
    const found = new Faults();
    checkShape(cell, shape, found);
    if (nearest === undefined || found.list.length <= nearest.list.length) nearest = found;
  }
  for (const { place, message, hint } of nearest?.list ?? []) faults.add(place, message, hint);
}

/** Several scalar shapes: any that fits will do; else the fault of the last. */
function checkScalarChoice(cell: ScalarCell, shapes: readonly Shape[], faults: Faults): void {
  if (shapes.some((shape) => fits(cell, shape))) return;
  faults.add(cell.place, `${show(cell)} does not fit here`, `write ${shapes.map(describe).join(", or ")}`);
}

function fits(cell: ScalarCell, shape: Shape): boolean {
  if (!takesKind(shape, cell)) return false;
  if (shape.kind === "either") return shape.of.some((option) => fits(cell, option));
  if (shape.kind === "word") return shape.words.includes(cell.source);
  if (shape.kind === "decimal") return isDecimal(cell, shape);
  if (shape.kind === "count") return WHOLE.test(cell.source);
  if (shape.kind === "text") return shape.pattern?.test(cell.source) ?? true;
  return true;
}

function isDecimal({ source }: ScalarCell, { orAll }: DecimalShape): boolean {
  return CANONICAL_DECIMAL.test(source) || (orAll === true && source === "all");
}

function takesKind(shape: Shape, cell: Cell): boolean {
  switch (shape.kind) {
    case "text":
    case "word":
    case "decimal":
      return cell.kind === "text";
    case "count":
      return cell.kind === "number";
    case "either":
      return shape.of.some((option) => takesKind(option, cell));
    default:
      return cell.kind === shape.kind;
  }
}

function checkScalar(cell: ScalarCell, shape: Shape, faults: Faults): void {
  if (!takesKind(shape, cell)) {
    if (shape.kind === "decimal" && cell.kind === "number") {
      faults.add(cell.place, `${cell.source} is a number without quotes`, `write "${cell.source}": decimals are text`);
    } else wrongKind(cell, shape, faults);
    return;
  }
  if (shape.kind === "word" && !shape.words.includes(cell.source)) {
    faults.add(cell.place, `${show(cell)} is not a known word`, hintKnown(cell.source, shape.words));
  } else if (shape.kind === "decimal" && !isDecimal(cell, shape)) {
    faults.add(
      cell.place,
      `${show(cell)} is not a canonical decimal`,
      "write digits, at most one point, no leading or trailing zeros, no exponent",
    );
  } else if (shape.kind === "text" && shape.pattern?.test(cell.source) === false) {
    faults.add(
      cell.place,
      `${show(cell)} is not ${shape.wanted ?? "right here"}`,
      `write ${shape.wanted ?? "another"}`,
    );
  } else if (shape.kind === "count" && !WHOLE.test(cell.source)) {
    faults.add(cell.place, `${cell.source} is not a whole number`, "write digits only");
  }
}

function wrongKind(cell: Cell, shape: Shape, faults: Faults): void {
  faults.add(cell.place, `${show(cell)} does not belong here`, `write ${describe(shape)}`);
}

export function show(cell: Cell): string {
  switch (cell.kind) {
    case "map":
      return "a map";
    case "list":
      return "a list";
    case "null":
      return "nothing";
    default:
      return cell.kind === "text" ? JSON.stringify(cell.source) : cell.source;
  }
}

/** A shape in words, for hints. */
export function describe(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return shape.wanted ?? "text";
    case "decimal":
      return 'a decimal in quotes such as "0.5"';
    case "count":
      return "a whole number";
    case "flag":
      return "true or false";
    case "word":
      return shape.words.length > 12 ? `one of ${shape.words.slice(0, 12).join(", ")}, …` : shape.words.join(" or ");
    case "map": {
      const names = Object.keys(shape.keys).slice(0, 6);
      return names.length === 0 ? `a map of ${shape.rest?.called ?? "nothing"}` : `a map of ${names.join(", ")}, …`;
    }
    case "list":
      return `a list of ${describe(shape.items)}`;
    case "either":
      return [...new Set(shape.of.map(describe))].join(", or ");
  }
}
