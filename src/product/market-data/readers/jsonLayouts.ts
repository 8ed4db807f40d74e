/**
 * The layouts of JSON that are known by the form of their first value. Each is a mapping, bound to the file as a user's
 * is.
 */

import { DataError } from "../errors.ts";
import { sampleJson } from "../json/sampleJson.ts";
import { bindMapping } from "../mapping/bindMapping.ts";
import type { Mapping } from "../mapping/schema.ts";
import type { SourceFile } from "../types.ts";
import { bybitBook } from "./bybitBook.ts";
import { hyperliquidBook } from "./hyperliquidBook.ts";
import { hyperliquidFills } from "./hyperliquidFills.ts";
import { instrumentOf, severalInstruments } from "./instrument.ts";
import type { Refusal } from "./known.ts";
import type { JsonSpec, Layout } from "./layout.ts";
import { okxBook } from "./okxBook.ts";
import type { JSON_LAYOUT_NAMES } from "./table.ts";

/** A layout of a venue whose files are JSON with a value on each line. */
export interface KnownJsonLayout {
  readonly name: (typeof JSON_LAYOUT_NAMES)[number];
  /** True if a value has the form of the layout. */
  matches(value: unknown): boolean;
  /** Refuses files whose sizes are in another unit, by the first value. */
  refuse?(value: never): Refusal | undefined;
  /** Field with the instrument, the same in all rows, where its name is none of the usual. */
  readonly symbol?: string;
  /** The file has several instruments, and one has to be named. */
  readonly hasManyInstruments?: true;
  /**
   * @param value      the first value
   * @param instrument the one to take, of a file with several
   */
  map(value: never, instrument: string): Mapping;
}

const LAYOUTS: readonly KnownJsonLayout[] = [hyperliquidBook, hyperliquidFills, bybitBook, okxBook];

/** The beginning of a JSON file. */
export interface JsonStart {
  readonly source: SourceFile;
  readonly file: string;
  readonly head: Uint8Array;
  readonly isWhole: boolean;
  readonly form: Pick<JsonSpec, "in" | "array">;
}

/**
 * @returns `undefined` if the user named no layout and none is known
 * @throws {DataError} DATA_LAYOUT if the file does not have the layout of its name, or cannot be read as that
 */
export function detectJsonLayout({ source, file, head, isWhole, form }: JsonStart): Layout | undefined {
  const { layout: name } = source;
  const lines = { in: "lines" } as const;
  const first = isLines(form, head, isWhole) ? sampleJson(lines, head, isWhole).first : undefined;
  const found = LAYOUTS.find((layout) => (name === undefined || layout.name === name) && layout.matches(first));
  if (found === undefined) {
    if (name === undefined) return undefined;
    throw new DataError("DATA_LAYOUT", `the file is JSON, and its first value is not that of ${name}`, {
      file,
      line: 1,
      hint: `the layouts of JSON are ${LAYOUTS.map((layout) => layout.name).join(", ")}; for other values write a mapping file`,
    });
  }
  const refusal = found.refuse?.(first as never);
  if (refusal !== undefined) throw new DataError("DATA_LAYOUT", refusal.reason, { file, line: 1, hint: refusal.hint });
  const instrument = instrumentOf(source);
  if (found.hasManyInstruments && instrument === undefined) throw severalInstruments(file, source);
  const mapping = found.map(first as never, instrument ?? "");
  const { names, rows } = sampleJson(mapping.json as JsonSpec, head, isWhole);
  return bindMapping({ mapping, file }, { file, path: source.path, names, rows, symbol: found.symbol });
}

/** A file of one line is a document, too. */
function isLines(form: Pick<JsonSpec, "in">, head: Uint8Array, isWhole: boolean): boolean {
  if (form.in === "lines") return true;
  const end = head.indexOf(10);
  return isWhole && (end < 0 || head.subarray(end).every((byte) => byte <= 32));
}
