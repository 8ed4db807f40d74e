import { existsSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { formatCommand } from "../../ground/collections/commandLine.ts";
import { defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatCount } from "../format.ts";
import { startProgress } from "../progress.ts";
import { reserveFiles, writeWholeFiles } from "../writeFile.ts";

interface Options {
  readonly blocks: string;
  readonly out: string;
  readonly force?: boolean;
}

/** Address of the schema for files that do not lie in a clone. */
const SCHEMA = join(import.meta.dirname, "../../../scenarios/schema/scenario.schema.json");

/** Blocks of a log as a test. */
export const freezeCommand = defineCommand<Options>({
  name: "freeze",
  summary: "Freeze blocks of a block log as a scenario that must give the same results",
  description:
    "Writes a scenario of some blocks of a run: the venue before them as a snapshot next to the file, with its prices, " +
    "accounts, positions and orders as readable expectations; the transactions as steps; and their outcomes, fills, " +
    "liquidations, balances and the state root. It is run before it is written. `scenario run` then fails when a rule " +
    "that the blocks depend on changes.",
  examples: [
    { args: "freeze crash.log --blocks 30..40 --out frozen.yaml", does: "Eleven blocks as a test" },
    {
      args: "freeze crash.log --blocks 40 --out one-block.yaml --json",
      does: "One block; what was written, for a program",
    },
  ],
  configure(command) {
    command
      .argument("<log>", "the block log")
      .requiredOption("-b, --blocks <first..last>", "the blocks, for example 120..130, or 120 for one")
      .requiredOption("-o, --out <file>", "the scenario, with the ending .yaml")
      .option("--force", "overwrite an existing scenario");
  },
  async run({ terminal, json }, [path = ""], { blocks: range, out, force = false }) {
    const heights = readHeights(range);
    const file = normalize(out);
    if (!/\.ya?ml$/.test(file)) {
      const hint = `for example ${file}.yaml`;
      throw usageError("SCENARIO_EXISTS", "a scenario file ends in .yaml", { place: file, hint });
    }
    if (existsSync(file) && !force) {
      const hint = "take another name, or add --force";
      throw usageError("SCENARIO_EXISTS", "the file exists", { place: file, hint });
    }
    const { freezeBlocks } = await import("../../product/scenario/freeze/freezeBlocks.ts");
    const { sizeOf } = await import("../policy.ts");
    const release = await reserveFiles([file]);
    const progress = await startProgress(terminal, { label: "replaying", total: await sizeOf([path]), unit: "bytes" });
    try {
      const frozen = freezeBlocks(path, {
        ...heights,
        file,
        schema: relative(dirname(file), SCHEMA).replaceAll("\\", "/"),
        names: await knownNames(),
        onProgress: (done, height) => progress.update(done, `block ${formatCount(height)}`),
      });
      progress.finish(`block ${formatCount(heights.to)}`);
      const { snapshot, text, blocks, transactions } = frozen;
      await writeWholeFiles([
        { path: snapshot.path, text: snapshot.text },
        { path: file, text },
      ]);
      if (json) {
        terminal.out(JSON.stringify({ file, snapshot: snapshot.path, ...heights, blocks, transactions }));
        return;
      }
      terminal.out(
        `wrote ${file} and ${snapshot.path}: ${formatCount(blocks)} blocks, ${formatCount(transactions)} transactions\n` +
          `run it with: ${formatCommand(["scenario", "run", file])}`,
      );
    } catch (error) {
      progress.stop();
      release();
      throw error;
    }
  },
});

function readHeights(text: string): { readonly from: number; readonly to: number } {
  const [, from, to = from] = /^([0-9]{1,15})(?:\.\.([0-9]{1,15}))?$/.exec(text) ?? [];
  if (from !== undefined) return { from: Number(from), to: Number(to) };
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} names no blocks`, {
    place: "--blocks",
    hint: "write the first and the last height, for example 120..130",
  });
}

/** Who acts in a backtest, and the house of a devnet. */
async function knownNames(): Promise<ReadonlyMap<string, string>> {
  const { HOUSE } = await import("../../product/replay/house.ts");
  const { STRATEGY } = await import("../../product/backtest/participants.ts");
  return new Map([
    [HOUSE.address, "house"],
    [STRATEGY.address, "strategy"],
  ]);
}
