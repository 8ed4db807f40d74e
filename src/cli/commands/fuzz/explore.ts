import { countOf } from "../../../ground/math/counts.ts";
import type { CanaryName } from "../../../proof/fuzz/campaign/canaryNames.ts";
import type { AroundReport } from "../../../proof/fuzz/explore/around/exploreAround.ts";
import type { Written } from "../../../proof/fuzz/explore/writeFinding.ts";
import { ACTION_NAMES, actions as actionTable } from "../../../protocol/actions/index.ts";
import { type Context, defineCommand } from "../../command.ts";
import { CliError, EXIT, failure, usageError } from "../../fail.ts";
import { formatColumns, formatCount } from "../../format.ts";
import { withProgress } from "../../progress.ts";
import { readWord } from "../../values.ts";
import { reserveFiles } from "../../writeFile.ts";
import { readFiles } from "../scenario/files.ts";
import { CANARY_WORDS } from "./words.ts";

interface Options {
  readonly around?: readonly string[];
  readonly invariants?: string;
  readonly model?: boolean;
  readonly failures?: string;
  readonly canary?: CanaryName;
}

/** Tries every step of a list instead of steps that are drawn. */
export const fuzzExploreCommand = defineCommand<Options>({
  name: "explore",
  summary: "Try one generic step around every block of scenarios, with every invariant checked",
  description:
    "Tries each action, prices and the passing of time before every block of the scenarios, each in a block of its " +
    "own, followed by the block that would have come. After both it checks every invariant and compares the " +
    "reference model. Nothing is drawn: the same scenarios give the same result. Exit code 0 when everything held, " +
    "1 when something is broken, 3 when no step of an account was applied.",
  examples: [
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
      .option("--around <scenarios...>", "scenario files, or folders of them")
      .option("--invariants <list>", "only these, by id or number of the catalogue: `G*,-G07`")
      .option("--no-model", "leave the reference model out")
      .option("--failures <folder>", "write failures there (default: fuzz-failures)")
      .option(
        "--canary <name>",
        `plant a fault that the steps must find: ${CANARY_WORDS.join(", ")}`,
        readWord("--canary", CANARY_WORDS),
      );
  },
  async run(context, _paths, options) {
    const { terminal, json } = context;
    if (options.around === undefined) {
      const hint = "name scenarios: --around scenarios/orders";
      throw usageError("OPTION_MISSING", "there is nothing to explore", { place: "--around", hint });
    }
    const folder = options.failures ?? "fuzz-failures";
    const release = await reserveFiles([`${folder}/a.yaml`]);
    release();
    const found = await runAround(context, options.around, options);
    const written = await writeAll(found, folder, options.canary);
    terminal.out(json ? JSON.stringify(toJson(found, written), undefined, 2) : describe(found, written));
    judge(found);
  },
});

async function runAround(
  { terminal }: Context,
  paths: readonly string[],
  { invariants: patterns = "", model = true, canary }: Options,
): Promise<AroundReport> {
  const { compileScenario } = await import("../../../product/scenario/compile/compileScenario.ts");
  const { countPlaces, exploreAround } = await import("../../../proof/fuzz/explore/around/exploreAround.ts");
  const { selectInvariants } = await import("../../../proof/fuzz/campaign/selectInvariants.ts");
  const { invariants } = await import("../../../proof/invariants/list.ts");
  const { applyWith } = await import("../../../proof/fuzz/explore/applyWith.ts");
  const chosen = selectInvariants(invariants, patterns);
  const scenarios = (await readFiles(paths)).map((file) => compileScenario(file));
  return withProgress(terminal, { label: "exploring", total: countPlaces(scenarios), unit: "places" }, (progress) =>
    exploreAround(scenarios, {
      invariants: chosen,
      model,
      apply: applyWith(canary),
      onProgress: (places, findings) =>
        progress.update(places, findings === 0 ? undefined : countOf(findings, "failure")),
    }),
  );
}

async function writeAll(
  { findings }: AroundReport,
  folder: string,
  canary: CanaryName | undefined,
): Promise<Written[]> {
  if (findings.length === 0) return [];
  const { writeFinding } = await import("../../../proof/fuzz/explore/writeFinding.ts");
  const { applyWith } = await import("../../../proof/fuzz/explore/applyWith.ts");
  return findings.map(({ chronicle, violation }) =>
    writeFinding(chronicle, violation, { folder, apply: applyWith(canary) }),
  );
}

function describe(report: AroundReport, written: readonly Written[]): string {
  const { scenarios, cases, withModel, places, steps, blocks, sampled, findings, met } = report;
  const rows = Object.entries(report.actions)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([action, { tried, applied }]) => [action, formatCount(tried), formatCount(applied)]);
  const quiet = Object.values(met).filter((count) => count === 0).length;
  const lines = findings.flatMap(({ file, case: row, before, step, violation, more }, at) => {
    const { scenario, unsaid, transactions } = written[at]!;
    const place = `${file}${row === "" ? "" : ` (${row})`}, before ${before}`;
    return [
      `${violation.invariant} is broken: ${violation.observed.split("\n")[0]}`,
      `  ${place}: ${step ?? "the scenario itself"}${more === 0 ? "" : `; ${countOf(more, "further step")}`}`,
      ...(scenario === undefined
        ? [`  no scenario was written: ${unsaid}`]
        : [`  shrunk to ${countOf(transactions!, "transaction")}: ${scenario}`]),
    ];
  });
  return [
    formatColumns([["step", "tried", "applied"], ...rows], [1, 2]),
    "",
    `explored: one step at each of ${countOf(places, "place")} of ${countOf(scenarios, "scenario")} (${countOf(cases, "case")})`,
    `${countOf(steps, "step")}; ${countOf(blocks, "block")} checked, ${formatCount(sampled)} of them with heavy invariants`,
    `the model ran in lock step in ${countOf(withModel, "case")}`,
    `${countOf(Object.keys(met).length, "invariant")} checked, ${formatCount(quiet)} of them had nothing to check`,
    ...(findings.length === 0 ? ["everything held"] : ["", ...lines]),
  ].join("\n");
}

function toJson({ findings, ...report }: AroundReport, written: readonly Written[]): object {
  const list = findings.map(({ chronicle: _chronicle, ...finding }, at) => ({ ...finding, ...written[at] }));
  return { ...report, findings: list };
}

/** @throws CliError with the exit code of the result */
function judge({ findings, actions }: AroundReport): void {
  const [first] = findings;
  if (first !== undefined) {
    throw failure("SEARCH_VIOLATED", `${first.violation.invariant} is broken`, { place: first.file });
  }
  if (ACTION_NAMES.every((name) => actionTable[name].scope === "authority" || (actions[name]?.applied ?? 0) === 0)) {
    throw new CliError(EXIT.vacuous, "SEARCH_VACUOUS", "no step of an account was applied", {
      hint: "name scenarios with accounts, markets and prices",
    });
  }
}
