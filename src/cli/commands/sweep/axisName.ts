import { describeParams } from "../../../client/strategy/params.ts";
import { findNearest } from "../../../ground/collections/nearest.ts";
import { SweepError } from "../../../product/research/sweep/errors.ts";
import { marketParameters } from "../../../protocol/parameters.ts";
import { isParameterName } from "../../../protocol/readParameters.ts";
import { ACCOUNT_WORDS, listRunOptions } from "../../readOption.ts";
import type { SweptStrategy } from "./sweptStrategies.ts";

/** What an axis varies: a parameter of a strategy, an option of the run, a parameter of the markets. */
export type Family = "param" | "run" | "set";

/** The name of an axis, resolved. */
export interface AxisName {
  readonly family: Family;
  /** Without prefix and strategy. */
  readonly own: string;
  /** Name of the only strategy that it changes; undefined in a run of one strategy, and for all of several. */
  readonly of: string | undefined;
}

const FAMILIES: Readonly<Record<Family, string>> = {
  param: "a parameter of the strategy",
  run: "an option of a run",
  set: "a parameter of the markets",
};

/**
 * Resolves the name of an axis: `fast`, `run.leverage`, `fast@bold`.
 *
 * @throws {SweepError} AXIS_UNKNOWN, AXIS_AMBIGUOUS
 */
export function readAxisName(name: string, strategies: readonly Pick<SweptStrategy, "name" | "strategy">[]): AxisName {
  const at = name.lastIndexOf("@");
  const [word, of] = at < 0 ? [name, undefined] : [name.slice(0, at), name.slice(at + 1)];
  if (of !== undefined && !strategies.some((one) => one.name === of)) throw unknownStrategy(of, strategies);
  const asked = of === undefined ? strategies : strategies.filter((one) => one.name === of);
  const options = of === undefined ? listRunOptions() : ACCOUNT_WORDS;
  const ownersOf = (own: string) => asked.filter(({ strategy }) => listParams(strategy).includes(own));
  const has = (family: Family, own: string) =>
    family === "param"
      ? ownersOf(own).length > 0
      : family === "run"
        ? options.includes(own)
        : of === undefined && isParameterName(own);
  const resolve = (family: Family, own: string): AxisName => {
    const isAlone = strategies.length === 1;
    if (family !== "param") return { family, own, of: isAlone ? undefined : of };
    const owners = ownersOf(own).map((owner) => owner.name);
    if (owners.length === 1) return { family, own, of: isAlone ? undefined : owners[0]! };
    throw new SweepError("AXIS_AMBIGUOUS", `${word} is a parameter of ${owners.join(" and ")}`, {
      place: "--grid",
      hint: `write ${owners.map((owner) => `${word}@${owner}`).join(" or ")}`,
    });
  };
  const [, prefix, rest = ""] = /^(param|run|set)\.(.+)$/.exec(word) ?? [];
  if (prefix !== undefined && has(prefix as Family, rest)) return resolve(prefix as Family, rest);
  const families = (["param", "run", "set"] as const).filter((family) => has(family, word));
  const [only, ...others] = families;
  if (only !== undefined && others.length === 0) return resolve(only, word);
  if (only !== undefined) {
    const choices = families.map((family) => `${family}.${name}`).join(" or ");
    throw new SweepError("AXIS_AMBIGUOUS", `${name} is ${families.map((family) => FAMILIES[family]).join(" and ")}`, {
      place: "--grid",
      hint: `write ${choices}`,
    });
  }
  throw unknownAxis(name, prefix === undefined ? word : rest, of, asked, options);
}

function listParams(strategy: SweptStrategy["strategy"]): string[] {
  return describeParams(strategy.params).map((param) => param.name);
}

function unknownAxis(
  name: string,
  own: string,
  of: string | undefined,
  asked: readonly Pick<SweptStrategy, "name" | "strategy">[],
  options: readonly string[],
): SweepError {
  const isVenue = of !== undefined && (listRunOptions().includes(own) || isParameterName(own));
  if (isVenue) {
    return new SweepError("AXIS_UNKNOWN", `${own} is not a setting of one strategy: all of them have the same`, {
      place: "--grid",
      hint: `write ${own}=… without @${of}; of one strategy are its parameters, and ${options.join(", ")}`,
    });
  }
  const params = [...new Set(asked.flatMap(({ strategy }) => listParams(strategy)))];
  const known = [...params, ...options, ...(of === undefined ? Object.keys(marketParameters) : [])];
  const nearest = findNearest(own, known);
  const owner = of === undefined ? (asked.length === 1 ? "the strategy" : "the strategies") : of;
  const list = `parameters of ${owner} are ${params.join(", ") || "none"}; options of a run are ${options.join(", ")}`;
  return new SweepError("AXIS_UNKNOWN", `there is no parameter or option ${JSON.stringify(name)}`, {
    place: "--grid",
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}

function unknownStrategy(of: string, strategies: readonly Pick<SweptStrategy, "name">[]): SweepError {
  const names = strategies.map(({ name }) => name);
  const nearest = findNearest(of, names);
  const list = `strategies of the run are ${names.join(", ")}`;
  return new SweepError("AXIS_UNKNOWN", `there is no strategy ${JSON.stringify(of)}`, {
    place: "--grid",
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}
