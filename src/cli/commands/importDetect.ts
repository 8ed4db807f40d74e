/** `perplab import --detect`: how each file would be read. */
import { glob } from "node:fs/promises";
import { countOf } from "../../ground/math/counts.ts";
import type { DetectedFile } from "../../product/market-data/detectFile.ts";
import type { SourceFile } from "../../product/market-data/types.ts";
import { formatColumns, formatTime } from "../format.ts";
import type { Terminal } from "../terminal.ts";

/** Prints a line for each file, and writes nothing. */
export async function printDetected(terminal: Terminal, json: boolean, texts: readonly string[]): Promise<void> {
  const { parseSource } = await import("../../product/market-data/stream/marketName.ts");
  const { detectFile } = await import("../../product/market-data/detectFile.ts");
  const sources = await expand(texts.map(parseSource));
  const files: DetectedFile[] = [];
  for (const source of sources) files.push(await detectFile(source));
  terminal.out(json ? JSON.stringify({ files }) : formatColumns(files.map(toCells), [3]));
}

/** Files that a pattern such as `data/*.csv.gz` names, sorted; a path that is no pattern, or fits none, as it is. */
async function expand(sources: readonly SourceFile[]): Promise<SourceFile[]> {
  const expanded: SourceFile[] = [];
  for (const source of sources) {
    const paths: string[] = [];
    if (/[*?[{]/.test(source.path)) for await (const path of glob(source.path)) paths.push(path);
    expanded.push(...(paths.length === 0 ? [source] : paths.sort().map((path) => ({ ...source, path }))));
  }
  return expanded;
}

/** True for a readable file whose columns are not known. */
function isTable(missing: DetectedFile["missing"]): boolean {
  return missing.some(({ code, hint }) => code === "DATA_LAYOUT" && hint?.includes("mapping") === true);
}

function toCells({ file, layout, market, kinds, rows, fromMs, missing }: DetectedFile): string[] {
  return [
    file,
    layout === undefined ? (isTable(missing) ? "mapping needed" : "not readable") : `${layout} (${kinds.join(", ")})`,
    market ?? "no market",
    countOf(rows, "row"),
    fromMs === undefined ? "" : `from ${formatTime(fromMs)} UTC`,
    missing.map(({ reason, hint }) => (hint === undefined ? reason : `${reason}; ${hint}`)).join("; "),
  ];
}
