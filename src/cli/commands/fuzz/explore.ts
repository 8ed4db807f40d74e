import { availableParallelism } from "node:os";
import { formatCount } from "../../../ground/math/counts.ts";
import type { JobEngine } from "../../../product/jobs/engine.ts";
import type { CanaryName } from "../../../proof/fuzz/campaign/canaryNames.ts";
import type { ExploreShared } from "../../../proof/fuzz/explore/shared.ts";
import { type Context, defineCommand } from "../../command.ts";
import { CliError, EXIT, failure, usageError } from "../../fail.ts";
import { withProgress } from "../../progress.ts";
import { addQueueOptions, OWN_THREADS, refuseOnQueue } from "../../queueOptions.ts";
import type { QueueOptions } from "../../runs/queueAddress.ts";
import type { Terminal } from "../../terminal.ts";
import { readCount, readWhole, readWord, WORKERS_MOST } from "../../values.ts";
import { reserveFiles } from "../../writeFile.ts";
import { readFiles } from "../scenario/files.ts";
import { CANARY_WORDS } from "./words.ts";

interface Options extends QueueOptions {
  readonly workers?: number;
  readonly around?: readonly string[];
  readonly depth?: number;
  readonly nightly?: boolean;
  readonly invariants?: string;
  readonly model?: boolean;
  readonly failures?: string;
  readonly canary?: CanaryName;
}

/** Tries every sequence of a small alphabet, or every step of a list, instead of what is drawn. */
export const fuzzExploreCommand = defineCommand<Options>({
  name: "explore",
  summary: "Try every sequence of blocks of small worlds, or one step around every block of scenarios",
  description:
    "Worlds are scenarios with an alphabet of blocks. All sequences of up to a number of its blocks are tried from each " +
    "start of a world; states that differ in nothing that decides count once. With --around, each action, prices and " +
    "the passing of time are tried before every block of scenarios, followed by the block that would have come. Every " +
    "block is checked with the light invariants and the reference model. Heavy invariants run on every new state of " +
    "the last depth and on a sample of the others. Nothing is drawn: the same files give the same " +
    "report. Exit code 0 when everything held, 1 when something is broken, 3 when a block was never applied, or an " +
    "invariant that a world is to show had nothing to check.",
  examples: [
    { args: "fuzz explore scenarios/worlds/trade.yaml --depth 2", does: "Try every pair of blocks of a world" },
    {
      args: "fuzz explore --around scenarios/orders/cancel-frees-reserve.yaml",
      does: "Try every step around the blocks of one scenario",
    },
    {
      args: "fuzz explore --around scenarios/orders/fees.yaml --no-model --invariants conservation,openInterest --json",
      does: "With two invariants alone, for a program",
    },
  ],
  configure(command) {
    addQueueOptions(command, "try the blocks")
      .argument("[worlds...]", "scenario files with an alphabet, or folders of them")
      .option("--around <scenarios...>", "scenario files, or folders of them, instead of worlds")
      .option("--depth <n>", "blocks of a sequence at most (default: that of each world)", readCount("--depth"))
      .option("--nightly", "go as deep as each world says for a nightly run")
      .option(
        "--workers <n>",
        "threads (default: one a core, fewer for little work)",
        readWhole("--workers", WORKERS_MOST),
      )
      .option("--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`")
      .option("--no-model", "leave the reference model out")
      .option("--failures <folder>", "write failures there (default: fuzz-failures)")
      .option(
        "--canary <name>",
        `plant a fault that must be found: ${CANARY_WORDS.join(", ")}`,
        readWord("--canary", CANARY_WORDS),
      );
  },
  async run(context, worlds, options) {
    const { around, depth, nightly } = options;
    if ((around === undefined) === (worlds.length === 0)) {
      const code = around === undefined ? "OPTION_MISSING" : "OPTION_INVALID";
      const fault = around === undefined ? "there is nothing to explore" : "worlds and --around exclude each other";
      const hint = "name worlds, such as scenarios/worlds, or scenarios: --around scenarios/orders";
      throw usageError(code, fault, { place: "--around", hint });
    }
    if (around !== undefined && (depth !== undefined || nightly === true)) {
      const hint = "one step is tried around each block; leave it out";
      throw usageError("OPTION_INVALID", "--around has no depth", {
        place: depth === undefined ? "--nightly" : "--depth",
        hint,
      });
    }
    if (depth !== undefined && nightly === true) {
      const hint = "leave one of them out";
      throw usageError("OPTION_INVALID", "it and --depth exclude each other", { place: "--nightly", hint });
    }
    if (options.redis !== undefined && options.workers !== undefined) throw refuseOnQueue("--workers", OWN_THREADS);
    const folder = options.failures ?? "fuzz-failures";
    const release = await reserveFiles([`${folder}/a.yaml`]);
    release();
    await (around === undefined
      ? runWorlds(context, worlds, folder, options)
      : runAround(context, around, folder, options));
  },
});

const describeFound = (note: string, findings: number) => (findings === 0 ? note : `${note}, ${findings} broken`);

/** Scenarios, the way to apply a block, and what all jobs share, as the options say. */
async function open(paths: readonly string[], { invariants: patterns = "", canary, model = true }: Options) {
  const { compileScenario } = await import("../../../product/scenario/compile/compileScenario.ts");
  const { readTexts } = await import("../../../product/scenario/run/texts.ts");
  const { selectInvariants } = await import("../../../proof/fuzz/campaign/selectInvariants.ts");
  const { invariants } = await import("../../../proof/invariants/list.ts");
  const { applyWith } = await import("../../../proof/fuzz/explore/applyWith.ts");
  // A pattern that matches nothing is reported before any file is read.
  selectInvariants(invariants, patterns);
  const names = await readFiles(paths);
  const scenarios = names.map((file) => compileScenario(file));
  const files = names.map((file) => ({ file, texts: readTexts(file) }));
  const shared: ExploreShared = { files, invariants: patterns, model, canary: canary ?? null };
  return { scenarios, shared, apply: applyWith(canary) };
}

/** About how many blocks are tried at a place between the blocks of a scenario. */
const BLOCKS_A_PLACE = 300;

/** Work that keeps a thread busy for longer than it takes to start, in blocks. */
const BLOCKS_A_WORKER = 2_000;

/**
 * Explores on the engine that the options ask for.
 *
 * @param blocks about how many are tried: for little work, this thread is enough
 */
async function withJobs<Result>(
  terminal: Terminal,
  { redis, redisPrefix, workers }: Options,
  blocks: number,
  explore: (engine: JobEngine) => Promise<Result>,
): Promise<Result> {
  const { openJobs } = await import("../../jobs/openJobs.ts");
  const most = Math.max(1, Math.floor(blocks / BLOCKS_A_WORKER));
  const threads = workers ?? Math.min(availableParallelism(), most);
  const address = redis === undefined ? {} : { redis, ...(redisPrefix === undefined ? {} : { redisPrefix }) };
  const engine = await openJobs(terminal, { ...address, workers: threads });
  try {
    return await explore(engine);
  } finally {
    await engine.close();
  }
}

async function runAround({ terminal, json }: Context, paths: readonly string[], folder: string, options: Options) {
  const { scenarios, shared, apply } = await open(paths, options);
  const { countPlaces } = await import("../../../proof/fuzz/explore/around/aroundReport.ts");
  const { exploreAroundInJobs } = await import("../../../proof/fuzz/explore/around/exploreAround.ts");
  const { describeAround, isVacuous, plainAround } = await import("../../../proof/fuzz/explore/around/aroundText.ts");
  const { writeFinding } = await import("../../../proof/fuzz/explore/writeFinding.ts");
  const total = countPlaces(scenarios);
  const report = await withJobs(terminal, options, total * BLOCKS_A_PLACE, (engine) =>
    withProgress(terminal, { label: "exploring", total, unit: "places" }, (progress) =>
      exploreAroundInJobs(scenarios, engine, { shared, onProgress: (places) => progress.update(places) }),
    ),
  );
  const written = report.findings.map(({ chronicle, violation }) =>
    writeFinding(chronicle, violation, { folder, apply }),
  );
  terminal.out(json ? JSON.stringify(plainAround(report, written), undefined, 2) : describeAround(report, written));
  const [first] = report.findings;
  if (first !== undefined)
    throw failure("SEARCH_VIOLATED", `${first.violation.invariant} is broken`, { place: first.file });
  if (isVacuous(report)) {
    throw new CliError(EXIT.vacuous, "SEARCH_VACUOUS", "no step of an account was applied", {
      hint: "name scenarios with accounts, markets and prices",
    });
  }
}

async function runWorlds({ terminal, json }: Context, paths: readonly string[], folder: string, options: Options) {
  const { scenarios, shared, apply } = await open(paths, options);
  const { openWorlds } = await import("../../../proof/fuzz/explore/world/worlds.ts");
  const { estimateWorlds, exploreWorlds } = await import("../../../proof/fuzz/explore/world/exploreWorlds.ts");
  const { describeWorlds, plainWorlds } = await import("../../../proof/fuzz/explore/world/worldText.ts");
  const { writeFinding } = await import("../../../proof/fuzz/explore/writeFinding.ts");
  // Jobs run the model.
  const worlds = openWorlds(scenarios, false);
  const depthOf = ({ explore }: (typeof worlds)[number]) =>
    options.depth ?? (options.nightly === true ? explore.nightly : explore.depth);
  const blocks = estimateWorlds(worlds, depthOf);
  const reports = await withJobs(terminal, options, blocks, (engine) =>
    withProgress(terminal, { label: "exploring", total: blocks, unit: "blocks" }, (progress) =>
      exploreWorlds(worlds, engine, {
        shared,
        depthOf,
        onProgress: ({ done, total, states, findings }) =>
          progress.update(done, describeFound(`${formatCount(states)} states`, findings), total),
      }),
    ),
  );
  const found = reports.flatMap(({ file, starts }) =>
    starts.flatMap(({ findings }) => findings.map((one) => ({ file, one }))),
  );
  const written = new Map(
    found.map(({ one }) => [one, writeFinding(one.chronicle, one.violation, { folder, apply })] as const),
  );
  terminal.out(json ? JSON.stringify(plainWorlds(reports, written), undefined, 2) : describeWorlds(reports, written));
  const [first] = found;
  if (first !== undefined)
    throw failure("SEARCH_VIOLATED", `${first.one.violation.invariant} is broken`, { place: first.file });
  const unequal = reports.find(({ starts }) => starts.some((start) => start.unequal.length > 0));
  if (unequal !== undefined) {
    throw failure("SEARCH_VIOLATED", "two states with one key have different futures", {
      place: unequal.file,
      hint: "either the venue keeps something that its state does not show, or the key leaves out what decides",
    });
  }
  const lacking = reports.find(({ neverApplied, neverMet }) => neverApplied.length + neverMet.length > 0);
  if (lacking !== undefined) {
    const [what = ""] = [
      ...lacking.neverApplied.map((name) => `${name}: never applied`),
      ...lacking.neverMet.map((id) => `${id}: nothing to check`),
    ];
    throw new CliError(EXIT.vacuous, "SEARCH_VACUOUS", what, {
      place: lacking.file,
      hint: "go deeper with --depth, or change the world",
    });
  }
}
