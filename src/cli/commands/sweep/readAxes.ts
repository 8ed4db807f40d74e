import { Command } from "commander";
import { describeParams, type ParamValue, parseParams } from "../../../client/strategy/params.ts";
import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import { findNearest } from "../../../ground/collections/nearest.ts";
import { resolveSettings } from "../../../product/backtest/options.ts";
import type { RunOptions } from "../../../product/research/runs/job.ts";
import { SweepError } from "../../../product/research/sweep/errors.ts";
import type { Axis, AxisValue } from "../../../product/research/sweep/grid/grid.ts";
import { readValues, type ValueKind } from "../../../product/research/sweep/grid/values.ts";
import { isParameterName, marketParameters } from "../../../protocol/parameters.ts";
import { addRunOptions, type RunOptions as GivenOptions, readRunOptions } from "../../runOptions.ts";

/** What an axis varies: a parameter of the strategy, an option of the run, a parameter of the markets. */
type Family = "param" | "run" | "set";

/** The values that all cells share, as far as they were given. */
export interface FixedOptions {
  readonly strategy: AnyStrategy;
  /** Complete. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Names of parameters that were given. */
  readonly givenParams: readonly string[];
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

/**
 * Reads `--grid`: axes as `name=values`. A name is a parameter of the strategy, an option of a run, or a parameter of
 * the markets. One that is two of them needs its prefix, `param.`, `run.` or `set.`.
 *
 * @throws {SweepError} GRID_INVALID, GRID_EMPTY, AXIS_UNKNOWN, AXIS_AMBIGUOUS, AXIS_REPEATED
 * @throws {StrategyError} PARAM_INVALID
 * @throws {CliError} OPTION_INVALID
 */
export async function readAxes(texts: readonly string[], fixed: FixedOptions): Promise<Axis[]> {
  const axes: Axis[] = [];
  const seen = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at < 1) {
      throw new SweepError("GRID_INVALID", `${JSON.stringify(text)} is not name=values`, {
        place: "--grid",
        hint: "for example --grid fast=6..48:6 slow=48,96",
      });
    }
    const name = text.slice(0, at).trim();
    const { family, own } = findFamily(name, fixed.strategy);
    const key = `${family}.${own}`;
    if (seen.has(key)) {
      throw new SweepError("AXIS_REPEATED", `${name} is an axis twice`, { place: "--grid", hint: "join their values" });
    }
    refuseFixed(name, family, own, fixed);
    seen.set(key, name);
    const values: AxisValue[] = [];
    for (const value of readValues(name, text.slice(at + 1), kindOf(family, own, fixed.strategy))) {
      values.push(await readValue(family, own, value, fixed));
    }
    axes.push({ name, values });
  }
  return axes;
}

/** Names of the options that an axis may vary. */
function listRunOptions(): string[] {
  const command = addRunOptions(new Command());
  return [...command.options.map(({ long }) => long!.slice(2)).filter((name) => name !== "set"), "seed"];
}

function findFamily(name: string, strategy: AnyStrategy): { readonly family: Family; readonly own: string } {
  const params = describeParams(strategy.params).map((param) => param.name);
  const options = listRunOptions();
  const has = (family: Family, own: string) =>
    family === "param" ? params.includes(own) : family === "run" ? options.includes(own) : isParameterName(own);
  const [, prefix, rest = ""] = /^(param|run|set)\.(.+)$/.exec(name) ?? [];
  if (prefix !== undefined && has(prefix as Family, rest)) return { family: prefix as Family, own: rest };
  const families = (["param", "run", "set"] as const).filter((family) => has(family, name));
  const [only, ...others] = families;
  if (only !== undefined && others.length === 0) return { family: only, own: name };
  if (only !== undefined) {
    const choices = families.map((family) => `${family}.${name}`).join(" or ");
    throw new SweepError("AXIS_AMBIGUOUS", `${name} is ${families.map(nameFamily).join(" and ")}`, {
      place: "--grid",
      hint: `write ${choices}`,
    });
  }
  const nearest = findNearest(prefix === undefined ? name : rest, [
    ...params,
    ...options,
    ...Object.keys(marketParameters),
  ]);
  const list = `parameters of the strategy are ${params.join(", ") || "none"}; options of a run are ${options.join(", ")}`;
  throw new SweepError("AXIS_UNKNOWN", `there is no parameter or option ${JSON.stringify(name)}`, {
    place: "--grid",
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}

function nameFamily(family: Family): string {
  return { param: "a parameter of the strategy", run: "an option of a run", set: "a parameter of the markets" }[family];
}

/** An axis of something that the command line also fixes would drop one of the two. */
function refuseFixed(name: string, family: Family, own: string, { givenParams, options, given }: FixedOptions): void {
  const option =
    family === "param" && givenParams.includes(own)
      ? `--param ${own}`
      : family === "set" && options.parameters?.[own as keyof typeof options.parameters] !== undefined
        ? `--set ${own}`
        : family === "run" && own !== "seed" && given[toKey(own)] !== undefined
          ? `--${own}`
          : family === "run" && own === "fees"
            ? fixedFee(options)
            : undefined;
  if (option === undefined) return;
  throw new SweepError("AXIS_REPEATED", `${name} is an axis, and ${option} gives it one value`, {
    place: "--grid",
    hint: `leave ${option} out, or the axis`,
  });
}

/** The member of parsed options that has an option: `feedLatency` of `feed-latency`. */
function toKey(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A fee among the parameters of the markets is over the option `fees`. */
function fixedFee({ parameters = {} }: RunOptions): string | undefined {
  const name = (["makerFee", "takerFee"] as const).find((fee) => parameters[fee] !== undefined);
  return name === undefined ? undefined : `--set ${name}`;
}

function kindOf(family: Family, own: string, strategy: AnyStrategy): ValueKind {
  if (family === "set") return "number";
  if (family === "run") return WHOLE.includes(own) ? "whole" : "number";
  const type = describeParams(strategy.params).find(({ name }) => name === own)?.type;
  return type === "integer" ? "whole" : type === "number" ? "number" : "text";
}

async function readValue(family: Family, own: string, text: string, fixed: FixedOptions): Promise<AxisValue> {
  const { strategy } = fixed;
  if (family === "param") {
    const params = parseParams(strategy.params, [`${own}=${text}`]) as Readonly<Record<string, ParamValue>>;
    const value = params[own]!;
    return { text, value, params: { [own]: value } };
  }
  const options = family === "run" ? await readOption(own, text) : await readRunOptions({ set: [`${own}=${text}`] });
  const parameters = { ...fixed.options.parameters, ...options.parameters };
  resolveSettings({ ...fixed.options, ...options, parameters, strategy, params: fixed.params });
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  return { text, value: isNumber ? Number(text) : text, options };
}

/** Reads the text of an option as the command line would. */
async function readOption(name: string, text: string): Promise<RunOptions> {
  if (name === "seed") return { seed: text };
  const command = addRunOptions(new Command().exitOverride());
  command.parse([`--${name}=${text}`], { from: "user" });
  return readRunOptions(command.opts<GivenOptions>());
}
