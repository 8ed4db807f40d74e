import type { CanaryName } from "../../../proof/fuzz/campaign/canaryNames.ts";
import { type Context, defineCommand } from "../../command.ts";
import { CliError, EXIT, failure, usageError } from "../../fail.ts";
import { withProgress } from "../../progress.ts";
import { readCount, readWord } from "../../values.ts";
import { reserveFiles } from "../../writeFile.ts";
import { readFiles } from "../scenario/files.ts";
import { CANARY_WORDS } from "./words.ts";

interface Options {
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
    command
      .argument("[worlds...]", "scenario files with an alphabet, or folders of them")
      .option("--around <scenarios...>", "scenario files, or folders of them, instead of worlds")
      .option("--depth <n>", "blocks of a sequence at most (default: that of each world)", readCount("--depth"))
      .option("--nightly", "go as deep as each world says for a nightly run")
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
    const folder = options.failures ?? "fuzz-failures";
    const release = await reserveFiles([`${folder}/a.yaml`]);
    release();
    await (around === undefined
      ? runWorlds(context, worlds, folder, options)
      : runAround(context, around, folder, options));
  },
});

/** Scenarios, invariants and the way to apply a block, as the options say. */
async function open(paths: readonly string[], { invariants: patterns = "", canary }: Options) {
  const { compileScenario } = await import("../../../product/scenario/compile/compileScenario.ts");
  const { selectInvariants } = await import("../../../proof/fuzz/campaign/selectInvariants.ts");
  const { invariants } = await import("../../../proof/invariants/list.ts");
  const { applyWith } = await import("../../../proof/fuzz/explore/applyWith.ts");
  const chosen = selectInvariants(invariants, patterns);
  const scenarios = (await readFiles(paths)).map((file) => compileScenario(file));
  return { chosen, scenarios, apply: applyWith(canary) };
}

async function runAround({ terminal, json }: Context, paths: readonly string[], folder: string, options: Options) {
  const { chosen, scenarios, apply } = await open(paths, options);
  const { countPlaces, exploreAround } = await import("../../../proof/fuzz/explore/around/exploreAround.ts");
  const { describeAround, isVacuous, plainAround } = await import("../../../proof/fuzz/explore/around/aroundText.ts");
  const { writeFinding } = await import("../../../proof/fuzz/explore/writeFinding.ts");
  const total = countPlaces(scenarios);
  const report = await withProgress(terminal, { label: "exploring", total, unit: "places" }, (progress) =>
    exploreAround(scenarios, {
      invariants: chosen,
      model: options.model ?? true,
      apply,
      onProgress: (places, findings) => progress.update(places, findings === 0 ? undefined : `${findings} broken`),
    }),
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
  const { chosen, scenarios, apply } = await open(paths, options);
  const { openWorlds } = await import("../../../proof/fuzz/explore/world/worlds.ts");
  const { exploreWorlds } = await import("../../../proof/fuzz/explore/world/exploreWorlds.ts");
  const { describeWorlds, plainWorlds } = await import("../../../proof/fuzz/explore/world/worldText.ts");
  const { writeFinding } = await import("../../../proof/fuzz/explore/writeFinding.ts");
  const worlds = openWorlds(scenarios, options.model ?? true);
  const depthOf = ({ explore }: (typeof worlds)[number]) =>
    options.depth ?? (options.nightly === true ? explore.nightly : explore.depth);
  const reports = await withProgress(terminal, { label: "exploring", total: 0, unit: "blocks" }, (progress) =>
    exploreWorlds(worlds, {
      invariants: chosen,
      apply,
      depthOf,
      onProgress: (transitions, states) => progress.update(transitions, `${states} states`),
    }),
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
