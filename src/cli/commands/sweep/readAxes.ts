import { describeParams, type ParamValue, parseParams } from "../../../client/strategy/params.ts";
import { resolveSettings } from "../../../product/backtest/options.ts";
import type { RunOptions } from "../../../product/research/runs/job.ts";
import { SweepError } from "../../../product/research/sweep/errors.ts";
import type { Axis, AxisValue } from "../../../product/research/sweep/grid/grid.ts";
import { readValues, type ValueKind } from "../../../product/research/sweep/grid/values.ts";
import { changeRun } from "../../../product/research/sweep/planSweep.ts";
import { readOption } from "../../readOption.ts";
import { readRunOptions } from "../../runOptions.ts";
import { type AxisName, readAxisName } from "./axisName.ts";
import { type SweptStrategies, toStrategyOptions } from "./sweptStrategies.ts";

/** The values that all cells share, as far as they were given. */
export interface FixedOptions {
  readonly swept: SweptStrategies;
  readonly options: RunOptions;
  /** Options by their names on the command line. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Options of a run whose values are whole numbers. */
const WHOLE: readonly string[] = [
  "leverage",
  "latency",
  "feed-latency",
  "receipt-latency",
  "spread",
  "impact",
  "block",
  "seed",
];

/** Options of a run whose values are texts: two times with `..` are no range. */
const TEXTS: readonly string[] = ["rate-limit", "outage"];

/**
 * Reads `--grid`: axes as `name=values`. A name is a parameter of a strategy, an option of a run, or a parameter of
 * the markets. One that is two of them needs its prefix, `param.`, `run.` or `set.`. `@strategy` after it chooses one
 * of several.
 *
 * @throws {SweepError} GRID_INVALID, GRID_EMPTY, AXIS_UNKNOWN, AXIS_AMBIGUOUS, AXIS_REPEATED
 * @throws {StrategyError} PARAM_INVALID
 * @throws {CliError} OPTION_INVALID
 */
export async function readAxes(texts: readonly string[], fixed: FixedOptions): Promise<Axis[]> {
  const axes: Axis[] = [];
  const seen: AxisName[] = [];
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at < 1) {
      throw new SweepError("GRID_INVALID", `${JSON.stringify(text)} is not name=values`, {
        place: "--grid",
        hint: "for example --grid fast=6..48:6 slow=48,96",
      });
    }
    const name = text.slice(0, at).trim();
    const axis = readAxisName(name, fixed.swept.list);
    refuseRepeated(name, axis, seen);
    refuseFixed(name, axis, fixed);
    seen.push(axis);
    const values: AxisValue[] = [];
    for (const value of readValues(name, text.slice(at + 1), kindOf(axis, fixed))) {
      values.push(await readValue(axis, value, fixed));
    }
    axes.push({ name, ...(axis.of === undefined ? {} : { of: axis.of }), values });
  }
  return axes;
}

/** An axis of all accounts leaves nothing for one of a single account. */
function refuseRepeated(name: string, { family, own, of }: AxisName, seen: readonly AxisName[]): void {
  const same = seen.find((one) => {
    if (one.family !== family || one.own !== own) return false;
    return one.of === of || one.of === undefined || of === undefined;
  });
  if (same === undefined) return;
  const reason =
    same.of === of ? `${name} is an axis twice` : `${own} is an axis of all strategies, and one of ${same.of ?? of}`;
  const hint = same.of === of ? "join their values" : "name the strategy in both";
  throw new SweepError("AXIS_REPEATED", reason, { place: "--grid", hint });
}

/** An axis of something that the command line also fixes would drop one of the two. */
function refuseFixed(name: string, axis: AxisName, fixed: FixedOptions): void {
  const option = findFixed(axis, fixed);
  if (option === undefined) return;
  throw new SweepError("AXIS_REPEATED", `${name} is an axis, and ${option} gives it one value`, {
    place: "--grid",
    hint: `leave ${option} out, or the axis`,
  });
}

function findFixed({ family, own, of }: AxisName, { swept, options, given }: FixedOptions): string | undefined {
  const name = of === undefined ? own : `${own}@${of}`;
  if (family === "param") return swept.given.params.some((one) => one.name === name) ? `--param ${name}` : undefined;
  if (family === "set") {
    return options.parameters?.[own as keyof typeof options.parameters] === undefined ? undefined : `--set ${own}`;
  }
  const account = swept.given.accounts.find(
    (one) => one.name === name || (of === undefined && one.name.startsWith(`${own}@`)),
  );
  if (account !== undefined) return `--account ${account.name}`;
  if (of === undefined && own !== "seed" && given[toKey(own)] !== undefined) return `--${own}`;
  return own === "fees" ? fixedFee(options) : undefined;
}

/** The member of parsed options that has an option: `feedLatency` of `feed-latency`. */
export function toKey(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A fee among the parameters of the markets is over the option `fees`. */
function fixedFee({ parameters = {} }: RunOptions): string | undefined {
  const name = (["makerFee", "takerFee"] as const).find((fee) => parameters[fee] !== undefined);
  return name === undefined ? undefined : `--set ${name}`;
}

function ownerOf({ of }: AxisName, { swept }: FixedOptions) {
  return of === undefined ? swept.list[0]! : swept.list.find(({ name }) => name === of)!;
}

function kindOf(axis: AxisName, fixed: FixedOptions): ValueKind {
  const { family, own } = axis;
  if (family === "set") return "number";
  if (family === "run") return TEXTS.includes(own) ? "text" : WHOLE.includes(own) ? "whole" : "number";
  const { strategy } = ownerOf(axis, fixed);
  const type = describeParams(strategy.params).find(({ name }) => name === own)?.type;
  return type === "integer" ? "whole" : type === "number" ? "number" : "text";
}

async function readValue(axis: AxisName, text: string, fixed: FixedOptions): Promise<AxisValue> {
  const { family, own, of } = axis;
  if (family === "param") {
    const { strategy } = ownerOf(axis, fixed);
    const params = parseParams(strategy.params, [`${own}=${text}`]) as Readonly<Record<string, ParamValue>>;
    const value = params[own]!;
    return { text, value, params: { [own]: value } };
  }
  const options = family === "run" ? await readOption(own, text) : await readRunOptions({ set: [`${own}=${text}`] });
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const value = { text, value: isNumber ? Number(text) : text, options };
  const changed = changeRun({ strategies: toStrategyOptions(fixed.swept), options: fixed.options }, value, of);
  resolveSettings({ ...changed.options, strategies: changed.strategies });
  return value;
}
