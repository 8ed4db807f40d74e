import { formatDecimal } from "../../../ground/math/decimal.ts";
import { readLatency } from "../../../product/backtest/link/latencyModel.ts";
import { DEFAULTS } from "../../../product/backtest/options.ts";
import type { RunOptions } from "../../../product/research/runs/job.ts";
import type { Axis } from "../../../product/research/sweep/grid/grid.ts";
import type { SensitivityAxis } from "../../../product/research/sweep/sensitivity/measureSensitivity.ts";
import {
  type Assumptions,
  createLatencyPreset,
  createPreset,
  isLatencyName,
  LATENCY_OPTIONS,
  type LatencyName,
  type Preset,
  SENSITIVITIES,
  type SensitivityName,
} from "../../../product/research/sweep/sensitivity/presets.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import { readMarketParameters } from "../../../protocol/readParameters.ts";
import { usageError } from "../../fail.ts";
import type { SweptStrategy } from "./sweptStrategies.ts";

/** The assumptions of the run that are varied. */
export interface SensitivityRequest {
  readonly presets: readonly Preset[];
  /** The same as `--grid` takes them; `fillAxes` gives values to an axis that it cannot write. */
  readonly texts: readonly string[];
}

/**
 * Reads `--sensitivity`.
 *
 * @param given true for the option alone: all of them
 * @throws {CliError} OPTION_INVALID
 */
export function readSensitivity(
  given: true | readonly string[] | undefined,
  options: RunOptions,
  swept: readonly SweptStrategy[],
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
  const presets = names.map((name) =>
    isLatencyName(name)
      ? createLatencyPreset(name, readLatencies(name, options, swept))
      : createPreset(name, assumptions),
  );
  const idle = presets.find(({ values }) => values.length < 2);
  if (idle !== undefined) {
    throw usageError("OPTION_INVALID", `${idle.name} ${idle.base} has nothing to vary`, {
      place: "--sensitivity",
      hint: `give the run another ${idle.name}, or name the others: ${SENSITIVITIES.join(", ")}`,
    });
  }
  // A parameter of a strategy may have the same name.
  const nameOf = (name: string) => (swept.some(({ params }) => Object.hasOwn(params, name)) ? `run.${name}` : name);
  // An axis of multiples has another place for its values, see `fillAxes`.
  const texts = presets.map(({ name, values, axis }) => `${nameOf(name)}=${axis === undefined ? values.join(",") : 0}`);
  return { presets, texts };
}

function readAssumptions(names: readonly SensitivityName[], options: RunOptions): Assumptions {
  const { participation, parameters = {}, fees } = options;
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
  return { participation, fees: fees ?? usual };
}

/** A latency of each account in ms. One that follows a model has no multiples. */
function readLatencies(varied: LatencyName, options: RunOptions, swept: readonly SweptStrategy[]): Map<string, number> {
  const option = LATENCY_OPTIONS[varied];
  const latencies = new Map<string, number>();
  for (const { name, account } of swept) {
    const latency = account[option] ?? options[option] ?? DEFAULTS[option];
    if (typeof latency !== "number") {
      const model = readLatency(`--${varied}`, latency).name;
      const others = SENSITIVITIES.filter((other) => other !== varied).join(", ");
      throw usageError(
        "OPTION_INVALID",
        `the ${varied} ${model} is no number of ms, of which multiples could be tried`,
        {
          place: "--sensitivity",
          hint: `give --${varied} in ms, or name the others: ${others}`,
        },
      );
    }
    latencies.set(name, latency);
  }
  return latencies;
}

/** The axes of a sweep, of which the last are those of the presets. */
export function fillAxes({ presets }: SensitivityRequest, axes: readonly Axis[]): Axis[] {
  return axes.map((axis, at) => {
    const values = presets[at - axes.length + presets.length]?.axis;
    return values === undefined ? axis : { ...axis, values };
  });
}

/** Places of the presets' axes, which follow those of the grid. */
export function placeSensitivity({ presets }: SensitivityRequest, gridAxes: number): SensitivityAxis[] {
  return presets.map(({ values, base }, at) => ({ at: gridAxes + at, base: values.indexOf(base) }));
}
