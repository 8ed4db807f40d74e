/** Gives the columns of a file their types, as a mapping asks for them. */
import { findNearest } from "../../../ground/collections/nearest.ts";
import { DataError, quote } from "../errors.ts";
import { parsePath, ROWS_COLUMN } from "../json/path.ts";
import type { ColumnIndex, ColumnType, LayoutColumn } from "../readers/layout.ts";
import type { ColumnRef, Mapping } from "./schema.ts";

/** Names that a message lists. */
const NAMES_SHOWN = 50;

/** Gives columns their types, and refuses to give one column two. */
export class Binder {
  readonly mapping: Mapping;
  private readonly mappingFile: string;
  private readonly file: string;
  private readonly names: string[];
  /** Names that the file has; in JSON the columns are only those of them that the mapping reads. */
  private readonly known: readonly string[];
  private readonly cells: ColumnType[];

  constructor(mapping: Mapping, mappingFile: string, file: string, first: readonly string[]) {
    this.mapping = mapping;
    this.mappingFile = mappingFile;
    this.file = file;
    this.known = first;
    if (mapping.json !== undefined) this.names = [];
    else if (mapping.header === true) this.names = [...first];
    else this.names = Array.from({ length: mapping.columns ?? first.length }, (_, index) => String(index + 1));
    this.cells = this.names.map(() => ({ type: "skip" }));
  }

  private isOptional = false;

  /** The same binder, for the columns of a stream that leaves out rows with empty cells. */
  optional(): Binder {
    const view: Binder = Object.create(this);
    view.isOptional = true;
    return view;
  }

  /** Every row that is read has the symbol of the first, in columns of that name that nothing else reads. */
  watchSymbols(
    isSymbol: (name: string) => boolean,
    names: readonly string[],
    rows: readonly (readonly string[])[],
  ): void {
    const row = rows.find((cells) => this.isChosen(names, cells));
    for (const [place, column] of names.entries()) {
      if (!isSymbol(column.trim())) continue;
      const known = this.names.indexOf(column);
      if (known >= 0 && this.cells[known]!.type !== "skip") continue;
      const symbol = row?.[place]?.trim();
      // None of the first rows is read: the first that is sets the symbol.
      if (symbol === "" || (symbol === undefined && row !== undefined)) continue;
      const index = known >= 0 ? known : this.addColumn(column);
      this.cells[index] = { type: "symbol", symbol: symbol ?? "" };
    }
  }

  /** True for a row that the columns of `where` take. */
  private isChosen(names: readonly string[], cells: readonly string[]): boolean {
    return this.cells.every((cell, index) => {
      if (cell.type !== "where") return true;
      return cell.take.includes(cells[names.indexOf(this.names[index]!)]?.trim() ?? "");
    });
  }

  private addColumn(name: string): ColumnIndex {
    this.cells.push({ type: "skip" });
    return this.names.push(name) - 1;
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
    more: { readonly wide?: true; readonly rounds?: true; readonly percentSign?: true } = {},
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
      ...(this.mapping.plusSigns === true ? { plusSign: true } : {}),
      ...(this.isOptional ? { optional: true } : {}),
    });
  }

  /** A column with values of a series. */
  exact(ref: ColumnRef): ColumnIndex {
    return this.column(ref, {
      type: "exact",
      ...(this.mapping.exponents === true ? { exponents: true } : {}),
      ...(this.mapping.decimal === "," ? { comma: true } : {}),
      ...(this.mapping.plusSigns === true ? { plusSign: true } : {}),
      ...(this.isOptional ? { optional: true } : {}),
    });
  }

  private find(ref: ColumnRef): ColumnIndex {
    if (this.mapping.json !== undefined) return this.findPath(ref);
    if (this.mapping.header !== (typeof ref === "string")) {
      throw this.invalid(
        this.mapping.header === true
          ? `column ${ref}: a file with a header names its columns`
          : `column ${quote(String(ref))}: a file without a header counts its columns from 1`,
      );
    }
    const index = typeof ref === "string" ? this.names.indexOf(ref) : ref - 1;
    if (index < 0 || index >= this.names.length) {
      throw this.missing(ref, this.names, "column");
    }
    if (this.names.indexOf(this.names[index]!) !== this.names.lastIndexOf(this.names[index]!)) {
      throw new DataError("DATA_LAYOUT", `two columns have the name ${ref}`, { file: this.file, line: 1 });
    }
    return index;
  }

  private findPath(ref: ColumnRef): ColumnIndex {
    const hasRows = this.mapping.json?.rows !== undefined;
    const isOfRows = typeof ref === "string" && (ref === ROWS_COLUMN || ref.startsWith("$."));
    if (isOfRows && !hasRows)
      throw this.invalid(`column ${ref}: only rows within values have a value around them (rows)`);
    const isPath =
      typeof ref === "string" && (ref === ROWS_COLUMN || parsePath(ref.replace(/^\$\./, "")) !== undefined);
    if (!isPath)
      throw this.invalid(`column ${ref}: in JSON a column is a path of fields, such as data.price or data[0]`);
    const index = this.names.indexOf(ref);
    if (index >= 0) return index;
    if (!this.isOptional && !this.known.includes(ref)) throw this.missing(ref, this.known, "field");
    return this.addColumn(ref);
  }

  private missing(ref: ColumnRef, names: readonly string[], what: string): DataError {
    const nearest = typeof ref === "string" ? findNearest(ref, names) : undefined;
    const suggestion = nearest === undefined ? "" : `did you mean ${nearest}? `;
    const shown = names.slice(0, NAMES_SHOWN).join(", ") + (names.length > NAMES_SHOWN ? ", …" : "");
    return new DataError("DATA_LAYOUT", `there is no ${what} ${ref}; the ${what}s are ${shown}`, {
      file: this.file,
      line: 1,
      hint: names.some((name) => name.includes("\uFFFD"))
        ? "the header is not UTF-8: convert the file, as with iconv -f GB18030 -t UTF-8"
        : `${suggestion}the mapping ${this.mapping.mapping} needs it`,
    });
  }

  invalid(reason: string): DataError {
    return new DataError("MAPPING_INVALID", reason, { file: this.mappingFile });
  }
}
