import { rmSync } from "node:fs";
import { formatCommand } from "../../ground/collections/commandLine.ts";
import { countOf, formatCount } from "../../ground/math/counts.ts";
import type { TapeManifest } from "../../product/market-data/types.ts";
import { defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatColumns, formatTime } from "../format.ts";
import { onInterrupt } from "../interrupt.ts";
import type { PolicyOptions } from "../policy.ts";
import { startProgress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends PolicyOptions {
  readonly out?: string;
  readonly draftMapping?: boolean;
  readonly detect?: boolean;
}

/** Source files to a tape. */
export const importCommand = defineCommand<Options>({
  name: "import",
  summary: "Read recorded market data into a tape",
  description:
    "Reads recorded market data once, checks every row, and writes a tape: columns in one total order of events, " +
    "hashed, with a report of the faults in the data. Reads CSV, JSON and Parquet, text also as .gz, .lz4, .zst and .zip: layouts of Binance's " +
    "public archive, Tardis, Hyperliquid, Bybit, OKX and Lean (data/README.md lists them), and bars with time, open, high, low, close and volume by their usual names. For any other file, " +
    "--draft-mapping prints a mapping file (.yaml) to check. Nothing is silently filled or skipped.",
  examples: [
    {
      args: "import data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --out btc-2024.tape",
      does: "A year of hourly bars with its funding, into one tape",
    },
    {
      args: "import BTC:aggTrades=data/BTC-PERP-aggTrades-2024-03-05.csv.gz --out btc-day.tape --json",
      does: "A day of trades, under another name, with the manifest for a program",
    },
    {
      args: "import --detect data/*.csv*",
      does: "How each file would be read: layout, market, first time, and what is missing",
    },
    {
      args: "import --draft-mapping data/BTC-PERP-klines-1h-2024.csv.gz",
      does: "A mapping for a file of any columns, with a comment for each open question",
    },
  ],
  configure(command) {
    command
      .argument(
        "<source...>",
        "files, as [MARKET[:LAYOUT[+DELAY]]=]PATH; a layout is a known one or a mapping file; a delay is of series",
      )
      .option("-o, --out <tape>", "the tape to write")
      .option("--detect", "print how each file would be read, from its first rows, and write no tape")
      .option("--draft-mapping", "print a mapping file for one source, and write no tape")
      .option("--allow <kinds>", "findings that are not errors, separated by commas: duplicate, unsorted, …")
      .option("--deny <kinds>", "findings that are errors: gap, nullRow, rounded, offSchedule, stale, clock, oneSided");
  },
  async run({ terminal, json }, texts, { out, draftMapping, detect, ...findings }) {
    if (detect === true) {
      const { allow, deny } = findings;
      const others = { "--out": out, "--draft-mapping": draftMapping, "--allow": allow, "--deny": deny };
      const [place] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
      if (place !== undefined) {
        throw usageError("USAGE", "--detect reads files and writes none", { place, hint: `leave ${place} away` });
      }
      const { printDetected } = await import("./importDetect.ts");
      return printDetected(terminal, json, texts);
    }
    if (draftMapping === true) return printDraft(terminal, json, texts, out);
    if (out === undefined) {
      throw usageError("USAGE", "the tape to write is missing", { place: "--out", hint: "add --out FILE.tape" });
    }
    const { parseSource } = await import("../../product/market-data/stream/marketName.ts");
    const { importFiles } = await import("../../product/market-data/importFiles.ts");
    const { readPolicy, sizeOf } = await import("../policy.ts");
    const { reserveFiles } = await import("../writeFile.ts");
    const policy = await readPolicy(findings);
    const sources = texts.map(parseSource);
    const total = await sizeOf(sources.map(({ path }) => path));
    const release = await reserveFiles([out]);
    const { createReadingPace } = await import("../readingPace.ts");
    const progress = await startProgress(terminal, { label: "importing", total, unit: "bytes" });
    const describe = createReadingPace(terminal);
    // The draft that writeTape would remove itself if it failed.
    const off = onInterrupt(() => {
      rmSync(`${out}.${process.pid}.part`, { force: true });
      release();
    });
    try {
      const manifest = await importFiles({
        ...policy,
        sources,
        out,
        onProgress: (done) => progress.update(done.bytesDone, describe(done)),
      });
      progress.finish(countOf(manifest.events, "event"));
      terminal.out(json ? JSON.stringify({ tape: out, manifest }) : formatManifest(out, manifest));
    } catch (error) {
      progress.stop();
      release();
      throw error;
    } finally {
      off();
    }
  },
});

/** Prints the mapping that a file seems to need, and on the side what to do with it. */
async function printDraft(terminal: Terminal, json: boolean, texts: readonly string[], out?: string): Promise<void> {
  const [text] = texts;
  if (text === undefined || texts.length !== 1) {
    throw usageError("USAGE", "a mapping is drafted for one file", { place: "--draft-mapping", hint: "name one file" });
  }
  if (out !== undefined) {
    throw usageError("USAGE", "a draft is printed, and no tape is written", {
      place: "--out",
      hint: "leave --out away, and redirect the output: > FILE.yaml",
    });
  }
  const { parseSource } = await import("../../product/market-data/stream/marketName.ts");
  const { draftMappingFile } = await import("../../product/market-data/draft/draftFile.ts");
  const { path } = parseSource(text);
  const { text: yaml, mapping, questions } = await draftMappingFile(path);
  terminal.out(json ? JSON.stringify({ mapping, questions }) : yaml.trimEnd());
  const toCheck = questions.length === 0 ? "" : `, decide the ${questions.length} marked CHECK`;
  const next = formatCommand(["import", `MARKET:FILE.yaml=${path}`, "--out", "FILE.tape"]);
  if (!json) terminal.err(`save it as FILE.yaml${toCheck}, then: ${next}`);
}

/** Contents of a tape for a reader: its markets, and the faults of the data. */
export function formatManifest(
  path: string,
  { markets, series, events, fromMs, toMs, quality, sources }: TapeManifest,
): string {
  const kinds = (counts: TapeManifest["counts"]) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${formatCount(count)} ${kind}`)
      .join(", ");
  // Otherwise the first row of hourly bars seems to be lost: its event is an hour after its open.
  const byClose = markets.some((market) => market.events.bar > 0) ? " (of a bar, its close)" : "";
  const lines = [
    `${path}: ${countOf(events, "event")}, ${formatTime(fromMs)} to ${formatTime(toMs)} UTC${byClose}`,
    "",
    formatColumns(markets.map((market) => [`  ${market.name}`, kinds(market.events)])),
  ];
  if (series !== undefined) {
    const rows = series.map((one) => [
      ...[`  ${one.market}`, one.name, formatCount(one.events)],
      one.events === 0 ? "no value" : `${formatTime(one.fromMs)} to ${formatTime(one.toMs)} UTC`,
    ]);
    lines.push("", "Series (times at which values are known)", formatColumns(rows, [2]));
  }
  const notes = sources.flatMap((source) => source.notes.map((note) => [`  ${source.file}`, note]));
  if (notes.length > 0) lines.push("", "Read as", formatColumns(notes));
  if (quality.findings.length > 0) {
    const rows = quality.findings.map(({ kind, source, count, treatment, samples }) => {
      const first = samples[0] === undefined ? "" : `first at line ${samples[0].line}: ${samples[0].reason}`;
      return [`  ${sources[source]?.file ?? ""}`, kind, formatCount(count), treatment, first];
    });
    lines.push("", "Findings", formatColumns(rows, [2]));
  }
  return lines.join("\n");
}
