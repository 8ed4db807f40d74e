import { basename } from "node:path";
import { formatCount } from "../../../ground/math/counts.ts";
import type { StoredFile } from "../../../product/research/runs/storeFiles.ts";
import { defineCommand } from "../../command.ts";
import { formatColumns, formatSize, formatTime } from "../../format.ts";
import { STORE } from "../../runs/openRuns.ts";

interface Options {
  readonly store?: string;
}

/** A tape in a store, with what is in it. */
interface ListedTape {
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
  readonly usedMs: number;
  /** Null if the file cannot be read as a tape. */
  readonly data: {
    readonly markets: readonly string[];
    readonly fromMs: number;
    readonly toMs: number;
    readonly events: number;
  } | null;
}

export const runsListCommand = defineCommand<Options>({
  name: "list",
  summary: "Show how much is stored, and of which data",
  description:
    "Shows number and size of the stored results, and each tape with its markets and time, the one used last first.",
  examples: [
    { args: "runs list", does: "What the sweeps in this folder have stored" },
    { args: "runs list --json", does: "The same for a program" },
  ],
  configure(command) {
    command.option("--store <folder>", `where results are kept (default: ${STORE})`);
  },
  async run({ terminal, json }, _args, { store = STORE }) {
    const { countFiles, formatCounts, readStore } = await import("./readStore.ts");
    const files = readStore(store, Date.now());
    const tapes: ListedTape[] = [];
    for (const file of files.filter(({ kind }) => kind === "tape").sort((a, b) => b.usedMs - a.usedMs)) {
      tapes.push(await readTape(file));
    }
    if (json) {
      const { results, remnants } = countFiles(files);
      terminal.out(JSON.stringify({ store, results, tapes, remnants }));
      return;
    }
    terminal.out(`${store}: ${formatCounts(files)}`);
    if (tapes.length > 0) terminal.out(`\n${formatTapes(tapes)}`);
  },
});

async function readTape({ path, bytes, usedMs }: StoredFile): Promise<ListedTape> {
  const { openTape } = await import("../../../product/market-data/tape/openTape.ts");
  const { isDataError } = await import("../../../product/market-data/errors.ts");
  const listed = { path, hash: basename(path, ".tape"), bytes, usedMs };
  try {
    const source = await openTape(path);
    const { markets, fromMs, toMs, events } = source.manifest;
    await source.close();
    return { ...listed, data: { markets: markets.map(({ name }) => name), fromMs, toMs, events } };
  } catch (error) {
    if (isDataError(error)) return { ...listed, data: null };
    throw error;
  }
}

function formatTapes(tapes: readonly ListedTape[]): string {
  const rows = tapes.map(({ hash, bytes, usedMs, data }) => {
    const of = data === null ? ["not readable", "", "", ""] : describe(data);
    return [hash.slice(0, 12), formatSize(bytes), formatTime(usedMs), ...of];
  });
  return formatColumns([["tape", "size", "used last, UTC", "markets", "from", "to", "events"], ...rows], [1, 6]);
}

function describe({ markets, fromMs, toMs, events }: NonNullable<ListedTape["data"]>): string[] {
  return [markets.join(" "), formatTime(fromMs), formatTime(toMs), formatCount(events)];
}
