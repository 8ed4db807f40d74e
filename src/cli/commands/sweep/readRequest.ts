import type { ParamValue } from "../../../client/strategy/params.ts";
import type { Point } from "../../../product/research/sweep/grid/grid.ts";
import { usageError } from "../../fail.ts";
import type { LoadedStrategy } from "../../loadStrategy.ts";
import type { PolicyOptions } from "../../policy.ts";
import { type RunOptions, readRunOptions } from "../../runOptions.ts";
import type { QueueOptions } from "../../runs/openQueue.ts";
import { METRICS } from "./defaults.ts";
import type { ReportChoice } from "./makeReports.ts";
import { checkOutputs, findPage } from "./outputs.ts";

export interface SweepOptions extends PolicyOptions, RunOptions, QueueOptions {
  readonly data: readonly string[];
  readonly grid?: readonly string[];
  readonly sensitivity?: true | readonly string[];
  readonly param?: readonly string[];
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
  const { parseParams } = await import("../../../client/strategy/params.ts");
  const { loadStrategy } = await import("../../loadStrategy.ts");
  const { readAxes } = await import("./readAxes.ts");
  const { choosePoints } = await import("../../../product/research/sweep/grid/choosePoints.ts");
  const { readWhere } = await import("../../../product/research/sweep/grid/where.ts");
  const { readMetric } = await import("../../../product/research/sweep/rankCells.ts");
  const { isAroundBase } = await import("../../../product/research/sweep/sensitivity/measureSensitivity.ts");
  const { placeSensitivity, readSensitivity } = await import("./readSensitivity.ts");
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
  const sort = options.sort === undefined ? undefined : readMetric("--sort", options.sort);
  const metrics = options.metric?.map((text) => readMetric("--metric", text)) ?? METRICS;

  const loaded = await (load ?? loadStrategy)(name);
  const { strategy } = loaded;
  const texts = options.param ?? [];
  const givenParams = texts.map((text) => text.slice(0, text.indexOf("=")));
  const params = parseParams(strategy.params, texts) as Readonly<Record<string, ParamValue>>;
  const runOptions = await readRunOptions(options);
  resolveSettings({ ...runOptions, strategy, params });
  const sensitivity = readSensitivity(options.sensitivity, runOptions, Object.keys(params));
  const gridTexts = options.grid ?? [];
  if (gridTexts.length === 0 && sensitivity.texts.length === 0) {
    throw usageError("OPTION_MISSING", "there is nothing to vary", {
      place: "--grid",
      hint: "add axes, for example --grid fast=6..48:6 slow=48,96, or --sensitivity",
    });
  }
  // The run's own value of a sensitivity is the one around which it is varied.
  const varied = Object.fromEntries(
    Object.entries(options).filter(([name]) => !sensitivity.presets.some((preset) => preset.name === name)),
  );
  const axes = await readAxes([...gridTexts, ...sensitivity.texts], {
    strategy,
    params,
    givenParams,
    options: runOptions,
    given: varied,
  });
  const around = placeSensitivity(sensitivity, gridTexts.length);
  const names = [...new Set([...Object.keys(params), ...axes.map((axis) => axis.name)])];
  const choice = {
    conditions: (options.where ?? []).map((text) => readWhere(text, names)),
    fixed: new Map(Object.entries(params)),
    ...(random === undefined ? {} : { random }),
    seed: seed ?? "1",
    ...(around.length === 0 ? {} : { isChosen: (point: Point) => isAroundBase(around, point) }),
  };
  // Faults of the grid are found before the data is read.
  choosePoints(axes, choice);
  const base = { strategies: [{ params }], options: runOptions };
  const sensitivities = sensitivity.presets.map((preset) => preset.name);
  return { loaded, axes, choice, sort, metrics, out, givenParams, base, around, sensitivities };
}

function refuseZero(option: string): never {
  throw usageError("OPTION_INVALID", "must be at least 1", { place: option, hint: "write a number from 1 on" });
}
