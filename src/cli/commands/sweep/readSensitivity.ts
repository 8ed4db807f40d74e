import { formatDecimal } from "../../../ground/math/decimal.ts";
import { readLatency } from "../../../product/backtest/link/latencyModel.ts";
import { DEFAULTS } from "../../../product/backtest/options.ts";
import type { RunOptions } from "../../../product/research/runs/job.ts";
import type { SensitivityAxis } from "../../../product/research/sweep/sensitivity/measureSensitivity.ts";
import {
  type Assumptions,
  createPreset,
  type Preset,
  SENSITIVITIES,
  type SensitivityName,
} from "../../../product/research/sweep/sensitivity/presets.ts";
import { isParameterFault, readMarketParameters } from "../../../protocol/parameters.ts";
import { usageError } from "../../fail.ts";

/** The assumptions of the run that are varied. */
export interface SensitivityRequest {
  readonly presets: readonly Preset[];
  /** The same as `--grid` takes them. */
  readonly texts: readonly string[];
}

/**
 * Reads `--sensitivity`.
 *
 * @param given true for the option alone: all of them
 * @param params names of the strategy's parameters
 * @throws {CliError} OPTION_INVALID
 */
export function readSensitivity(
  given: true | readonly string[] | undefined,
  options: RunOptions,
  params: readonly string[],
): SensitivityRequest {
  if (given === undefined) return { presets: [], texts: [] };
  const words = given === true ? ["all"] : given;
  const unknown = words.find((word) => word !== "all" && !(SENSITIVITIES as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw usageError("OPTION_INVALID", `${JSON.stringify(unknown)} is not an assumption that can be varied`, {
      place: "--sensitivity",
      hint: `use ${SENSITIVITIES.join(", ")} or all`,
    });
  }
  const names = SENSITIVITIES.filter((name) => words.includes("all") || words.includes(name));
  const assumptions = readAssumptions(names, options);
  const presets = names.map((name) => createPreset(name, assumptions));
  const idle = presets.find(({ values }) => values.length < 2);
  if (idle !== undefined) {
    throw usageError("OPTION_INVALID", `${idle.name} ${idle.base} has nothing to vary`, {
      place: "--sensitivity",
      hint: `give the run another ${idle.name}, or name the others: ${SENSITIVITIES.join(", ")}`,
    });
  }
  // A parameter of the strategy may have the same name.
  const nameOf = (name: string) => (params.includes(name) ? `run.${name}` : name);
  return { presets, texts: presets.map(({ name, values }) => `${nameOf(name)}=${values.join(",")}`) };
}

function readAssumptions(names: readonly SensitivityName[], options: RunOptions): Assumptions {
  const { latencyMs: latency = DEFAULTS.latencyMs, participation, parameters = {}, fees } = options;
  const set = (["makerFee", "takerFee"] as const).find((name) => parameters[name] !== undefined);
  if (set !== undefined && names.includes("fees")) {
    throw usageError("OPTION_INVALID", `--set ${set} gives the fees one value`, {
      place: "--sensitivity",
      hint: "give them with --fees maker/taker; only these fees are varied",
    });
  }
  const found = readMarketParameters("replay", {});
  if (isParameterFault(found)) throw new RangeError(found.reason);
  const usual = { maker: formatDecimal(found.makerFee, 6), taker: formatDecimal(found.takerFee, 6) };
  if (typeof latency !== "number" && names.includes("latency")) {
    const { name } = readLatency("--latency", latency);
    throw usageError("OPTION_INVALID", `the latency ${name} is no number of ms, of which multiples could be tried`, {
      place: "--sensitivity",
      hint: `give --latency in ms, or name the others: ${SENSITIVITIES.filter((other) => other !== "latency").join(", ")}`,
    });
  }
  const latencyMs = typeof latency === "number" ? latency : DEFAULTS.latencyMs;
  return { latencyMs, participation, fees: fees ?? usual };
}

/** Places of the presets' axes, which follow those of the grid. */
export function placeSensitivity({ presets }: SensitivityRequest, gridAxes: number): SensitivityAxis[] {
  return presets.map(({ values, base }, at) => ({ at: gridAxes + at, base: values.indexOf(base) }));
}
