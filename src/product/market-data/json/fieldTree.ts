/** Which fields of a JSON value become cells, as a tree that the reader walks along with the value. */
import { parseOuterPath, parsePath, ROWS_COLUMN, type Step } from "./path.ts";

/** A place in a value. */
export interface FieldNode {
  /** Column of the cell at this place; -1 for none. */
  column: number;
  readonly keys: { readonly bytes: Uint8Array; readonly node: FieldNode }[];
  readonly items: (FieldNode | undefined)[];
  /** Number of the array of rows at this place; -1 where there is none. */
  rows: number;
}

/** The fields of one layout. */
export interface FieldTree {
  readonly columns: number;
  readonly value: FieldNode;
  /** Fields of an element of the arrays of rows; absent where each value is one row. */
  readonly row?: FieldNode;
  /** Paths of the arrays of rows. */
  readonly rows: readonly string[];
  /** Column with the path of the row's array; -1 for none. */
  readonly rowsColumn: number;
  /** Columns that every row of a value shares. */
  readonly shared: readonly number[];
}

const encoder = new TextEncoder();

const createNode = (): FieldNode => ({ column: -1, keys: [], items: [], rows: -1 });

/**
 * @param names paths of the columns, in their order; a name that is no path has no cell
 * @param rows  paths of arrays whose elements are the rows; none where each value is a row
 */
export function buildFieldTree(names: readonly string[], rows: readonly string[] = []): FieldTree {
  const value = createNode();
  const row = rows.length === 0 ? undefined : createNode();
  const shared: number[] = [];
  for (const [column, name] of names.entries()) {
    const outer = parseOuterPath(name);
    const steps = outer ?? (name === ROWS_COLUMN ? undefined : parsePath(name));
    if (steps === undefined) continue;
    const isShared = row !== undefined && outer !== undefined;
    if (isShared) shared.push(column);
    place(row === undefined || isShared ? value : row, steps).column = column;
  }
  for (const [index, path] of rows.entries()) place(value, parsePath(path)!).rows = index;
  const rowsColumn = names.indexOf(ROWS_COLUMN);
  return { columns: names.length, value, rows, rowsColumn, shared, ...(row === undefined ? {} : { row }) };
}

function place(root: FieldNode, steps: readonly Step[]): FieldNode {
  let node = root;
  for (const step of steps) {
    if (typeof step === "number") {
      node.items[step] ??= createNode();
      node = node.items[step];
      continue;
    }
    const bytes = encoder.encode(step);
    let child = node.keys.find((key) => Buffer.compare(key.bytes, bytes) === 0);
    if (child === undefined) {
      child = { bytes, node: createNode() };
      node.keys.push(child);
    }
    node = child.node;
  }
  return node;
}
