import { rmSync } from "node:fs";
import type { TapeManifest } from "../../market-data/types.ts";
import { defineCommand } from "../command.ts";
import { formatColumns, formatCount, formatTime } from "../format.ts";
import { onInterrupt } from "../interrupt.ts";
import type { PolicyOptions } from "../policy.ts";
import { startProgress } from "../progress.ts";

interface Options extends PolicyOptions {
  readonly out: string;
}

/** Source files to a tape. */
export const importCommand = defineCommand<Options>({
  name: "import",
  summary: "Read recorded market data into a tape",
  description:
    "Reads recorded market data once, checks every row, and writes a tape: columns in one total order of events, " +
    "hashed, with a report of what was wrong with the data. Reads CSV, also .gz and .zip, in the layouts of Binance's " +
    "public archive; a mapping file (.yaml) describes any other. Nothing is silently filled or skipped.",
  examples: [
    {
      args: "import data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv --out btc-2024.tape",
      does: "A year of hourly bars with its funding, into one tape",
    },
    {
      args: "import BTC:aggTrades=data/BTC-PERP-aggTrades-2024-03-05.csv.gz --out btc-day.tape --json",
      does: "A day of trades, under another name, with the manifest for a program",
    },
  ],
  configure(command) {
    command
      .argument("<source...>", "files, as [MARKET[:LAYOUT]=]PATH; a layout is a known one or a mapping file")
      .requiredOption("-o, --out <tape>", "the tape to write")
      .option("--allow <kinds>", "findings that are not errors, separated by commas: duplicate, unsorted, …")
      .option("--deny <kinds>", "findings that are errors: gap, nullRow");
  },
  async run({ terminal, json }, texts, { out, ...findings }) {
    const { parseSource } = await import("../../market-data/stream/marketName.ts");
    const { importFiles } = await import("../../market-data/importFiles.ts");
    const { readPolicy, sizeOf } = await import("../policy.ts");
    const policy = await readPolicy(findings);
    const sources = texts.map(parseSource);
    const total = await sizeOf(sources.map(({ path }) => path));
    const progress = await startProgress(terminal, { label: "importing", total, unit: "bytes" });
    // The draft that writeTape would remove itself if it failed.
    const off = onInterrupt(() => rmSync(`${out}.${process.pid}.part`, { force: true }));
    try {
      const manifest = await importFiles({
        ...policy,
        sources,
        out,
        onProgress: ({ bytesDone, rows }) => progress.update(bytesDone, `${formatCount(rows)} rows`),
      });
      progress.finish(`${formatCount(manifest.events)} events`);
      terminal.out(json ? JSON.stringify({ tape: out, manifest }) : formatManifest(out, manifest));
    } catch (error) {
      progress.stop();
      throw error;
    } finally {
      off();
    }
  },
});

/** What a tape holds, for a person: its markets, and what was wrong with the data. */
export function formatManifest(
  path: string,
  { markets, events, fromMs, toMs, quality, sources }: TapeManifest,
): string {
  const kinds = (counts: TapeManifest["counts"]) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${formatCount(count)} ${kind}`)
      .join(", ");
  const lines = [
    `${path}: ${formatCount(events)} events, ${formatTime(fromMs)} to ${formatTime(toMs)} UTC`,
    "",
    formatColumns(markets.map((market) => [`  ${market.name}`, kinds(market.events)])),
  ];
  if (quality.findings.length > 0) {
    const rows = quality.findings.map(({ kind, source, count, treatment, samples }) => {
      const first = samples[0] === undefined ? "" : `first at line ${samples[0].line}: ${samples[0].reason}`;
      return [`  ${sources[source]?.file ?? ""}`, kind, formatCount(count), treatment, first];
    });
    lines.push("", "Findings", formatColumns(rows, [2]));
  }
  return lines.join("\n");
}
