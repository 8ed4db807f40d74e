import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, normalize, relative } from "node:path";
import { formatCommand } from "../../ground/collections/commandLine.ts";
import { countOf, formatCount } from "../../ground/math/counts.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { startProgress } from "../progress.ts";
import type { RerunOptions } from "../rerunBundle.ts";
import { readRunFileKind } from "../runFileKind.ts";
import { reserveFiles, writeWholeFiles } from "../writeFile.ts";

interface Options extends RerunOptions {
  readonly blocks: string;
  readonly out: string;
  readonly force?: boolean;
}

/** Address of the schema for files that do not lie in a clone. */
const SCHEMA = join(import.meta.dirname, "../../../scenarios/schema/scenario.schema.json");

/** Blocks of a run as a test. */
export const freezeCommand = defineCommand<Options>({
  name: "freeze",
  summary: "Freeze blocks of a run as a scenario that must give the same results",
  description:
    "Writes a scenario of some blocks of a run, from its block log or from a bundle, whose run is made again: the venue before them as a snapshot next to the file, with its prices, " +
    "accounts, positions and orders as readable expectations; the transactions as steps; and their outcomes, fills, " +
    "liquidations, balances and the state root. It is run before it is written. `scenario run` then fails when a rule " +
    "that the blocks depend on changes.",
  examples: [
    { args: "freeze crash.log --blocks 30..40 --out frozen.yaml", does: "Eleven blocks as a test" },
    {
      args: "freeze crash.log --blocks 40 --out one-block.yaml --json",
      does: "One block; what was written, for a program",
    },
    { args: "freeze run.bundle --blocks 30..40 --out of-a-bundle.yaml", does: "Blocks of a bundle's run" },
  ],
  configure(command) {
    command
      .argument("<run>", "a block log, or a bundle")
      .requiredOption("-b, --blocks <first..last>", "the blocks, for example 120..130, or 120 for one")
      .requiredOption("-o, --out <file>", "the scenario, with the ending .yaml")
      .option("--force", "overwrite an existing scenario and its snapshot")
      .option("--trust", "run the code of the strategies in a bundle")
      .option("--any-version", "run a bundle although versions differ")
      .option("-d, --data <source...>", "the data of a bundle that names it by hash")
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow");
  },
  async run(context, [path = ""], { blocks: range, out, force = false, ...rerun }) {
    const heights = readHeights(range);
    const file = normalize(out);
    if (!/\.ya?ml$/.test(file)) {
      const hint = `for example ${file}.yaml`;
      throw usageError("SCENARIO_EXISTS", "a scenario file ends in .yaml", { place: file, hint });
    }
    // The snapshot next to the scenario may be that of another one: `a.yaml` and `a.yml` have the same.
    const taken = [file, file.replace(/\.ya?ml$/, ".snapshot")].find((path) => existsSync(path));
    if (taken !== undefined && !force) {
      const hint = "take another name, or add --force";
      throw usageError("SCENARIO_EXISTS", "the file exists", { place: taken, hint });
    }
    await withLog(context, path, rerun, (log, names) => writeFrozen(context, log, { ...heights, file, names }));
  },
});

/** Gives the block log of a run, and names of its accounts by address: the log itself, or that of a bundle's run. */
async function withLog(
  context: Context,
  path: string,
  options: RerunOptions,
  work: (log: string, names: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  if ((await readRunFileKind(path)) !== "bundle") {
    refuseStray(options);
    return work(path, await nameAccounts(["strategy"]));
  }
  const { readBundle } = await import("../../product/research/bundle/format.ts");
  const { rerunToLog } = await import("../rerunBundle.ts");
  const bundle = await readBundle(path);
  const folder = await mkdtemp(join(tmpdir(), "perplab-freeze-"));
  try {
    // The scenario names its run by the name of this file.
    const log = join(folder, basename(path));
    const { strategies } = await rerunToLog(context, bundle, options, log);
    const names = await nameAccounts(strategies.length === 1 ? ["strategy"] : strategies.map(({ name }) => name));
    await work(log, names).catch((error: unknown) => Promise.reject(nameRun(error, log, path)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An error at the log of a bundle's run, which the user has not seen, is one at the bundle. */
function nameRun(error: unknown, log: string, bundle: string): unknown {
  return error instanceof Error && (error as { place?: unknown }).place === log
    ? Object.assign(error, { place: bundle })
    : error;
}

/** @throws {CliError} OPTION_INVALID for an option of a bundle */
function refuseStray({ trust, anyVersion, data, allow, deny }: RerunOptions): void {
  const given = { "--trust": trust, "--any-version": anyVersion, "--data": data, "--allow": allow, "--deny": deny };
  const [stray] = Object.entries(given).filter(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw usageError("OPTION_INVALID", "a block log is not run", { place: stray[0], hint: "give it with a bundle" });
}

interface Frozen {
  readonly from: number;
  readonly to: number;
  /** Path of the scenario. */
  readonly file: string;
  readonly names: ReadonlyMap<string, string>;
}

async function writeFrozen(
  { terminal, json }: Context,
  path: string,
  { file, names, ...heights }: Frozen,
): Promise<void> {
  const { freezeBlocks } = await import("../../product/scenario/freeze/freezeBlocks.ts");
  const { sizeOf } = await import("../policy.ts");
  const release = await reserveFiles([file]);
  const progress = await startProgress(terminal, { label: "replaying", total: await sizeOf([path]), unit: "bytes" });
  try {
    const frozen = freezeBlocks(path, {
      ...heights,
      file,
      schema: relative(dirname(file), SCHEMA).replaceAll("\\", "/"),
      names,
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
      `wrote ${file} and ${snapshot.path}: ${countOf(blocks, "block")}, ${countOf(transactions, "transaction")}\n` +
        `run it with: ${formatCommand(["scenario", "run", file])}`,
    );
  } catch (error) {
    progress.stop();
    release();
    throw error;
  }
}

function readHeights(text: string): { readonly from: number; readonly to: number } {
  const [, from, to = from] = /^([0-9]{1,15})(?:\.\.([0-9]{1,15}))?$/.exec(text) ?? [];
  if (from !== undefined) return { from: Number(from), to: Number(to) };
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} names no blocks`, {
    place: "--blocks",
    hint: "write the first and the last height, for example 120..130",
  });
}

/**
 * Names of who acts in a backtest, and of the house of a devnet, by address.
 *
 * @param strategies names of the strategies, in order
 */
async function nameAccounts(strategies: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { HOUSE } = await import("../../product/replay/house.ts");
  const { STRATEGIES } = await import("../../product/backtest/participants.ts");
  const names = strategies.map((name, place) => [STRATEGIES[place]!.address, name] as const);
  return new Map([[HOUSE.address, "house"], ...names]);
}
