import type { ParamValue } from "../../../client/strategy/params.ts";
import type { Point } from "../../../product/research/sweep/grid/grid.ts";
import { usageError } from "../../fail.ts";
import type { LoadedStrategy } from "../../loadStrategy.ts";
import type { PolicyOptions } from "../../policy.ts";
import { type RunOptions, readRunOptions } from "../../runOptions.ts";
import type { QueueOptions } from "../../runs/queueAddress.ts";
import { METRICS } from "./defaults.ts";
import type { ReportChoice } from "./makeReports.ts";
import { checkOutputs, findPage } from "./outputs.ts";
import type { SweptStrategy } from "./sweptStrategies.ts";

export interface SweepOptions extends PolicyOptions, RunOptions, QueueOptions {
  readonly data: readonly string[];
  readonly grid?: readonly string[];
  readonly sensitivity?: true | readonly string[];
  readonly param?: readonly string[];
  readonly account?: readonly string[];
  readonly where?: readonly string[];
  readonly random?: number;
  readonly seed?: string;
  readonly sort?: string;
  readonly metric?: readonly string[];
  readonly top?: number;
  readonly workers?: number;
  readonly store?: string;
  readonly runLimit?: number;
  readonly out?: readonly string[];
  readonly reports?: ReportChoice;
}

/** Finds a strategy by the name that the call gives it. */
export type LoadSwept = (name: string) => Promise<LoadedStrategy>;

/** A sweep as it was requested. */
export type SweepRequest = Awaited<ReturnType<typeof readRequest>>;

/** Everything of a sweep except its data, so that faults are found before the data is read. */
export async function readRequest(name: string, options: SweepOptions, load?: LoadSwept) {
  const { readSwept, toStrategyOptions } = await import("./sweptStrategies.ts");
  const { readAxes, toKey } = await import("./readAxes.ts");
  const { choosePoints } = await import("../../../product/research/sweep/grid/choosePoints.ts");
  const { readWhere } = await import("../../../product/research/sweep/grid/where.ts");
  const { readMetric } = await import("../../../product/research/sweep/metricKey.ts");
  const { isAroundBase, listContenders } = await import(
    "../../../product/research/sweep/sensitivity/measureSensitivity.ts"
  );
  const { fillAxes, placeSensitivity, readSensitivity } = await import("./readSensitivity.ts");
  const { resolveSettings } = await import("../../../product/backtest/options.ts");
  const { workers, random, top, seed } = options;
  if (workers === 0) refuseZero("--workers");
  if (random === 0) refuseZero("--random");
  if (top === 0) refuseZero("--top");
  if (seed !== undefined && random === undefined) {
    throw usageError("OPTION_MISSING", "--seed is of the draw, and nothing is drawn", {
      place: "--seed",
      hint: "add --random COUNT; the strategy's own random numbers are varied with --grid seed=1..5",
    });
  }
  if (random !== undefined && options.sensitivity !== undefined) {
    throw usageError("OPTION_INVALID", "a draw would leave out points that are compared", {
      place: "--random",
      hint: "leave it out with --sensitivity, or run the sweep first, and the sensitivity of its best run",
    });
  }
  const out = options.out ?? [];
  checkOutputs(out);
  if (options.reports !== undefined && findPage(out) === undefined) {
    throw usageError("OPTION_MISSING", "reports of runs are written next to a page, and there is none", {
      place: "--reports",
      hint: "add --out sweep.html",
    });
  }
  const swept = await readSwept(name, options, load);
  const { list } = swept;
  const names = list.map((one) => one.name);
  const sort = options.sort === undefined ? undefined : readMetric("--sort", options.sort, names);
  const named = options.metric?.map((text) => readMetric("--metric", text, names));
  const metrics = named === undefined ? METRICS : [...new Set(named)];

  const runOptions = await readRunOptions(options);
  resolveSettings({ ...runOptions, strategies: toStrategyOptions(swept) });
  const sensitivity = readSensitivity(options.sensitivity, runOptions, list);
  const gridTexts = options.grid ?? [];
  if (gridTexts.length === 0 && sensitivity.texts.length === 0) {
    throw usageError("OPTION_MISSING", "there is nothing to vary", {
      place: "--grid",
      hint: "add axes, for example --grid fast=6..48:6 slow=48,96, or --sensitivity",
    });
  }
  // The run's own value of a sensitivity is the one around which it is varied.
  const varied = new Set(sensitivity.presets.map((preset) => toKey(preset.name)));
  const isVaried = (word: string) => varied.has(toKey(word.split("@", 1)[0]!));
  const { params, accounts } = swept.given;
  const read = await readAxes([...gridTexts, ...sensitivity.texts], {
    swept: { ...swept, given: { params, accounts: accounts.filter((one) => !isVaried(one.name)) } },
    options: runOptions,
    given: Object.fromEntries(Object.entries(options).filter(([word]) => !isVaried(word))),
  });
  const axes = fillAxes(sensitivity, read);
  const around = placeSensitivity(sensitivity, gridTexts.length);
  const fixed = nameParams(list);
  const known = [...new Set([...fixed.keys(), ...axes.map((axis) => axis.name)])];
  const choice = {
    conditions: (options.where ?? []).map((text) => readWhere(text, known)),
    fixed,
    ...(random === undefined ? {} : { random }),
    seed: seed ?? "1",
    ...(around.length === 0 ? {} : { isChosen: (point: Point) => isAroundBase(around, point) }),
  };
  // Faults of the grid are found before the data is read.
  const points = choosePoints(axes, choice).map((point) => ({ point }));
  if (listContenders({ cells: points, around }).length === 0) {
    const own = sensitivity.presets.map((preset) => `${preset.name} ${preset.base}`).join(", ");
    throw usageError("OPTION_INVALID", "no point that meets the conditions has the run's own assumptions", {
      place: "--where",
      hint: `let a condition be met by ${own}`,
    });
  }
  const base = {
    strategies: list.map((one) => ({
      ...(swept.isFile ? { name: one.name } : {}),
      params: one.params,
      ...one.account,
    })),
    options: runOptions,
  };
  const sensitivities = sensitivity.presets.map((preset) => preset.name);
  return { swept, axes, choice, sort, metrics, out, base, around, sensitivities };
}

/**
 * Parameters as conditions name them: of several strategies with `@`, and without it where only one has the parameter.
 */
function nameParams(list: readonly SweptStrategy[]): Map<string, ParamValue> {
  const named = new Map<string, ParamValue>();
  const all = list.flatMap(({ params }) => Object.keys(params));
  for (const { name, params } of list) {
    for (const [own, value] of Object.entries(params)) {
      if (list.length > 1) named.set(`${own}@${name}`, value);
      if (all.indexOf(own) === all.lastIndexOf(own)) named.set(own, value);
    }
  }
  return named;
}

function refuseZero(option: string): never {
  throw usageError("OPTION_INVALID", "must be at least 1", { place: option, hint: "write a number from 1 on" });
}
