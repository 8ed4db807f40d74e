import { NONE, type Rows } from "./table.ts";

type Cells = { [at: number]: number };
type Fields = Record<string, unknown>;

/** What `Journal.row` needs of a table. */
export interface JournalTable {
  readonly rows: Pick<Rows<number>, "high" | "count" | "capacity" | "freeHead" | "link" | "memory">;
}

/**
 * An undo log over typed arrays and a few plain properties. While it is `on`, the writing code first keeps the old
 * value; `undo` restores every value, newest first. Cells go to stacks of numbers: keeping one allocates nothing once
 * they have grown.
 *
 * Arrays that growth replaces are kept as properties (`field`): undoing restores the old array. Kept values of the new
 * one are written to memory that is no longer used.
 */
export class Journal {
  on = false;
  private arrays: Cells[] = [];
  private places: number[] = [];
  private values: number[] = [];
  private objects: Fields[] = [];
  private names: string[] = [];
  private contents: unknown[] = [];
  /** By table and row, the stretch (`clear` ends one) in which the row was kept last. */
  private readonly keptRows = new Map<JournalTable, Float64Array>();
  private stretch = 1;

  /** Keeps a cell of a typed array. */
  cell(array: ArrayLike<number>, at: number): void {
    this.arrays.push(array as Cells);
    this.places.push(at);
    this.values.push(array[at]!);
  }

  /** Keeps a property, with its value now or a copy of it. */
  field<T extends object, K extends keyof T & string>(object: T, name: K, value: T[K] = object[name]): void {
    this.objects.push(object as Fields);
    this.names.push(name);
    this.contents.push(value);
  }

  /** Keeps every column of a row. Cost: once per column; nothing for a row that is kept already. */
  row(table: JournalTable, row: number): void {
    let kept = this.keptRows.get(table);
    if (kept === undefined || row >= kept.length) {
      const grown = new Float64Array(table.rows.capacity);
      if (kept !== undefined) grown.set(kept);
      kept = grown;
      this.keptRows.set(table, kept);
    }
    if (kept[row] === this.stretch) return;
    kept[row] = this.stretch;
    for (const name in table) {
      if (name !== "rows") this.cell((table as unknown as Readonly<Record<string, ArrayLike<number>>>)[name]!, row);
    }
    this.cell(table.rows.link, row);
  }

  /** Keeps what handing out and giving back rows changes, and the arrays that growth would replace. */
  table(table: JournalTable): void {
    for (const name in table) {
      if (name !== "rows") this.field(table as unknown as Fields, name);
    }
    const { rows } = table;
    for (const name of ["high", "count", "capacity", "freeHead", "link", "memory"] as const) this.field(rows, name);
  }

  /** Hands out a row of a table; undoing gives it back. */
  allocate<Row extends number>(table: { readonly rows: Rows<Row> }): Row {
    const { rows } = table;
    if (!this.on) return rows.allocate();
    if (rows.freeHead !== NONE) this.cell(rows.link, rows.freeHead);
    const row = rows.allocate();
    this.row(table, row);
    return row;
  }

  /** Puts back what was kept, newest first. */
  undo(): void {
    const { arrays, places, values, objects, names, contents } = this;
    for (let at = arrays.length - 1; at >= 0; at--) arrays[at]![places[at]!] = values[at]!;
    for (let at = objects.length - 1; at >= 0; at--) objects[at]![names[at]!] = contents[at];
  }

  /** Forgets what was kept. */
  clear(): void {
    this.stretch++;
    this.arrays.length = 0;
    this.places.length = 0;
    this.values.length = 0;
    this.objects.length = 0;
    this.names.length = 0;
    this.contents.length = 0;
  }
}
