/** Gives the columns of a file their types, as a mapping asks for them. */
import { findNearest } from "../../../ground/collections/nearest.ts";
import { DataError, quote } from "../errors.ts";
import type { ColumnIndex, ColumnType, LayoutColumn } from "../readers/layout.ts";
import type { ColumnRef, Mapping } from "./schema.ts";

/** Gives columns their types, and refuses to give one column two. */
export class Binder {
  readonly mapping: Mapping;
  private readonly mappingFile: string;
  private readonly file: string;
  private readonly names: readonly string[];
  private readonly cells: ColumnType[];

  constructor(mapping: Mapping, mappingFile: string, file: string, first: readonly string[]) {
    this.mapping = mapping;
    this.mappingFile = mappingFile;
    this.file = file;
    this.names = mapping.header
      ? first
      : Array.from({ length: mapping.columns ?? first.length }, (_, index) => String(index + 1));
    this.cells = this.names.map(() => ({ type: "skip" }));
  }

  private isOptional = false;

  /** The same binder, for the columns of a stream that leaves out rows with empty cells. */
  optional(): Binder {
    const view: Binder = Object.create(this);
    view.isOptional = true;
    return view;
  }

  /** Every row has the symbol of the first, in columns of that name that nothing else reads. */
  watchSymbols(name: RegExp, row: readonly string[]): void {
    for (const [index, column] of this.names.entries()) {
      const symbol = row[index]?.trim() ?? "";
      if (!name.test(column.trim()) || this.cells[index]!.type !== "skip" || symbol === "") continue;
      this.cells[index] = { type: "symbol", symbol, skipsOthers: false };
    }
  }

  columns(): LayoutColumn[] {
    return this.names.map((name, index) => ({ name, cell: this.cells[index]! }));
  }

  column(ref: ColumnRef, cell: ColumnType): ColumnIndex {
    const index = this.find(ref);
    const known = this.cells[index]!;
    if (known.type !== "skip" && JSON.stringify(known) !== JSON.stringify(cell)) {
      throw new DataError("MAPPING_INVALID", `column ${ref} is read in two different ways`, {
        file: this.mappingFile,
        hint: "a column can have only one role: time, price, size, rate, side or id",
      });
    }
    this.cells[index] = cell;
    return index;
  }

  /** @param more what a number of this column may be beyond the usual */
  amount(
    ref: ColumnRef,
    decimals: number,
    sign: "positive" | "nonNegative" | "any",
    more: { readonly wide?: true; readonly rounds?: true } = {},
  ): ColumnIndex {
    if (decimals < 0) {
      throw new DataError("MAPPING_INVALID", `column ${ref} has a scale finer than the tape's`, {
        file: this.mappingFile,
      });
    }
    const exponents = this.mapping.exponents === true;
    return this.column(ref, {
      type: "decimal",
      decimals,
      sign,
      ...more,
      ...(exponents ? { exponents } : {}),
      ...(this.mapping.decimal === "," ? { comma: true } : {}),
      ...(this.isOptional ? { optional: true } : {}),
    });
  }

  private find(ref: ColumnRef): ColumnIndex {
    if (this.mapping.header !== (typeof ref === "string")) {
      throw new DataError(
        "MAPPING_INVALID",
        this.mapping.header
          ? `column ${ref}: a file with a header names its columns`
          : `column ${quote(String(ref))}: a file without a header counts its columns from 1`,
        { file: this.mappingFile },
      );
    }
    const index = typeof ref === "string" ? this.names.indexOf(ref) : ref - 1;
    if (index < 0 || index >= this.names.length) {
      throw new DataError("DATA_LAYOUT", `there is no column ${ref}; the columns are ${this.names.join(", ")}`, {
        file: this.file,
        line: 1,
        hint: this.names.some((name) => name.includes("\uFFFD"))
          ? "the header is not UTF-8: convert the file, as with iconv -f GB18030 -t UTF-8"
          : `${this.suggest(ref)}the mapping ${this.mapping.mapping} needs it`,
      });
    }
    if (this.names.indexOf(this.names[index]!) !== this.names.lastIndexOf(this.names[index]!)) {
      throw new DataError("DATA_LAYOUT", `two columns have the name ${ref}`, { file: this.file, line: 1 });
    }
    return index;
  }

  private suggest(ref: ColumnRef): string {
    const nearest = typeof ref === "string" ? findNearest(ref, this.names) : undefined;
    return nearest === undefined ? "" : `did you mean ${nearest}? `;
  }

  invalid(reason: string): DataError {
    return new DataError("MAPPING_INVALID", reason, { file: this.mappingFile });
  }
}
