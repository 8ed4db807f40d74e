/** Sizes of rows in base units. */
import { LIMIT, mulDivFloor } from "../../../ground/math/fixed.ts";
import type { QualityLog } from "../quality.ts";
import type { Layout, SizeSpec } from "../readers/layout.ts";
import type { RowBatch } from "../scan/rowBatch.ts";
import { toDouble } from "../scan/toDouble.ts";

const E8 = 1e8;

/** A size that a column holds. */
type ColumnSize = Exclude<SizeSpec, { from: "constant" }>;

/** Converts the sizes of one source. */
export class SizeReader {
  readonly #layout: Layout;
  readonly #source: number;
  readonly #log: QualityLog;

  constructor(layout: Layout, source: number, log: QualityLog) {
    this.#layout = layout;
    this.#source = source;
    this.#log = log;
  }

  /**
   * @param price by row, for sizes that are recorded as value
   * @returns 1e-8 base by row, rounded down; NaN where the row has none. A size above zero never becomes zero
   */
  read(rows: RowBatch, spec: SizeSpec, price: Float64Array): Float64Array {
    if (spec.from === "base" && spec.multiplier === 1) return rows.values[spec.column]!;
    const sizes = new Float64Array(rows.count);
    if (spec.from === "constant") return sizes.fill(spec.size);
    const from = rows.values[spec.column]!;
    for (let row = 0; row < rows.count; row++) {
      const given = from[row]!;
      const size = spec.from === "base" ? given * spec.multiplier : divideByPrice(given, price[row]!);
      if (size <= LIMIT) sizes[row] = size;
      else sizes[row] = Number.isNaN(given) ? given : this.#roundBig(rows, row, spec, price[row]!);
      if (sizes[row] === 0 && given > 0) sizes[row] = this.#raise(rows, row, spec);
    }
    return sizes;
  }

  /** A size beyond the limit, exactly or as the greatest double below it. */
  #roundBig(rows: RowBatch, row: number, spec: ColumnSize, price: number): number {
    const from = BigInt(rows.values[spec.column]![row]!);
    const exact = spec.from === "base" ? from * BigInt(spec.multiplier) : (from * BigInt(E8)) / BigInt(price);
    const rounded = toDouble(exact);
    if (spec.from === "base" && BigInt(rounded) !== exact) {
      const reason = `the size has more digits than a double holds (about ${(Number(exact) / E8).toPrecision(6)} units)`;
      this.#report(rows, row, spec, reason);
    }
    return rounded;
  }

  #raise(rows: RowBatch, row: number, spec: ColumnSize): number {
    this.#report(rows, row, spec, "the size is below the smallest that the tape holds, and was raised to it");
    return 1;
  }

  #report(rows: RowBatch, row: number, { column }: ColumnSize, reason: string): void {
    this.#log.report("rounded", this.#source, rows.line[row]!, this.#layout.columns[column]!.name, reason);
  }
}

/** Base units of a quote value, rounded down; a value of 16 digits and more goes through big integers. */
function divideByPrice(quote: number, price: number): number {
  return quote <= LIMIT && price > 0 ? mulDivFloor(quote, E8, price) : Number.NaN;
}
