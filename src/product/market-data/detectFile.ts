/** How a file would be read, from its first rows: nothing is written, and the rest of the file is not read. */
import { isDataError } from "./errors.ts";
import { marketOf } from "./stream/marketName.ts";
import { openSource } from "./stream/openSource.ts";
import type { EventKindName, SourceFile } from "./types.ts";

/** A file as far as its first rows show it. */
export interface DetectedFile {
  readonly file: string;
  /** Layout or mapping by name; absent where none fits. */
  readonly layout?: string;
  /** Absent where the name of the file is none of a market. */
  readonly market?: string;
  readonly kinds: readonly EventKindName[];
  /** Rows that were read. */
  readonly rows: number;
  /** Earliest time of them, in milliseconds. */
  readonly fromMs?: number;
  /** What keeps the file from being imported as it is, with what to do. */
  readonly missing: readonly { readonly code: string; readonly reason: string; readonly hint?: string }[];
}

type Missing = DetectedFile["missing"][number];

/** Reads the first rows of a file. Its faults are in `missing`. */
export async function detectFile(source: SourceFile): Promise<DetectedFile> {
  const missing: Missing[] = [];
  const market = catching(missing, () => marketOf(source));
  const found = { file: source.path, ...(market === undefined ? {} : { market }), missing };
  try {
    const opened = await openSource(source);
    const { layout } = opened;
    let faulty = 0;
    const rows = opened.rows((line, [fault]) => {
      faulty++;
      // Only the first of many faults of one kind is reported.
      if (faulty === 1 && fault !== undefined && fault.kind !== "nullRow" && fault.kind !== "rounded") {
        missing.push({ code: fault.kind, reason: `line ${line}, column ${fault.column}: ${fault.reason}` });
      }
      return fault?.truncated === true;
    });
    const first = await rows.next();
    await rows.return(undefined);
    const batch = first.done === true ? undefined : first.value;
    const times = batch?.values[layout.streams[0]!.time]?.subarray(0, batch.count) ?? new Float64Array();
    return {
      ...found,
      layout: layout.name,
      kinds: [...new Set(layout.streams.map(({ kind }) => kind))],
      rows: batch?.count ?? 0,
      ...(times.length === 0 ? {} : { fromMs: times.reduce((least, time) => Math.min(least, time)) }),
    };
  } catch (error) {
    missing.push(describe(error));
    return { ...found, kinds: [], rows: 0 };
  }
}

function catching<T>(missing: Missing[], get: () => T): T | undefined {
  try {
    return get();
  } catch (error) {
    missing.push(describe(error));
    return undefined;
  }
}

function describe(error: unknown): Missing {
  if (!isDataError(error)) throw error;
  return { code: error.code, reason: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}
