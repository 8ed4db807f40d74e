import type { StoredKind } from "../../../product/research/runs/storeFiles.ts";
import { defineCommand } from "../../command.ts";
import { usageError } from "../../fail.ts";
import { STORE } from "../../runs/openRuns.ts";
import { readDuration, readSize, readWord } from "../../values.ts";

interface Options {
  readonly store?: string;
  readonly older?: number;
  readonly maxSize?: number;
  readonly all?: boolean;
  readonly only?: "results" | "tapes";
  readonly dryRun?: boolean;
}

const KINDS: Readonly<Record<NonNullable<Options["only"]> | "both", readonly StoredKind[]>> = {
  results: ["result"],
  tapes: ["tape"],
  both: ["result", "tape"],
};

export const runsPruneCommand = defineCommand<Options>({
  name: "prune",
  summary: "Remove stored results and tapes by age or size",
  description:
    "Removes the results and tapes whose last use is oldest: results count from their run, tapes from the last sweep that read them. " +
    "Unfinished files of a killed process are removed as well, if they are older than a day. Files that are not of the store stay. " +
    "Do not remove results or tapes that a running sweep reads.",
  examples: [
    { args: "runs prune --older 30d", does: "Remove results and tapes that were not used for a month" },
    {
      args: "runs prune --max-size 2GB --only tapes --dry-run",
      does: "Show which tapes a limit of 2 GB would remove, and keep them",
    },
  ],
  configure(command) {
    command
      .option("--store <folder>", `where results are kept (default: ${STORE})`)
      .option(
        "--older <time>",
        "remove results and tapes that were not used for this long: 12h, 30d",
        readDuration("--older"),
      )
      .option(
        "--max-size <size>",
        "then remove those whose last use is oldest, until the rest is at most this large: 500MB, 2GB",
        readSize("--max-size"),
      )
      .option("--all", "remove everything")
      .option("--only <which>", "results or tapes (default: both)", readWord("--only", ["results", "tapes"]))
      .option("--dry-run", "show what would be removed, and remove nothing");
  },
  async run({ terminal, json }, _args, { store = STORE, older, maxSize, all = false, only, dryRun = false }) {
    if (all ? (older ?? maxSize) !== undefined : (older ?? maxSize) === undefined) {
      const reason = all ? "--all leaves nothing for --older or --max-size" : "there is no limit to prune to";
      throw usageError("USAGE", reason, { hint: "give --older 30d, --max-size 2GB, both of them, or --all" });
    }
    const { countFiles, formatCounts, readStore } = await import("./readStore.ts");
    const { choosePruned, removeStored } = await import("../../../product/research/runs/storeFiles.ts");
    const nowMs = Date.now();
    const files = readStore(store, nowMs);
    const bytesMost = all ? 0 : (maxSize ?? Number.POSITIVE_INFINITY);
    const limits = { kinds: KINDS[only ?? "both"], olderMs: older ?? Number.POSITIVE_INFINITY, bytesMost };
    const pruned = new Set(choosePruned(files, all ? { ...limits, olderMs: Number.NEGATIVE_INFINITY } : limits, nowMs));
    if (!dryRun) removeStored([...pruned]);
    const kept = files.filter((file) => !pruned.has(file));
    if (json) {
      terminal.out(
        JSON.stringify({ store, isDryRun: dryRun, removed: countFiles([...pruned]), kept: countFiles(kept) }),
      );
      return;
    }
    terminal.out(`${dryRun ? "Would remove" : "Removed"}  ${formatCounts([...pruned])}`);
    terminal.out(`${dryRun ? "Would keep  " : "Kept   "}  ${formatCounts(kept)}`);
  },
});
