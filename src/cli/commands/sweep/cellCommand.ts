import { quoteWord } from "../../../ground/collections/commandLine.ts";
import { valuesAt } from "../../../product/research/sweep/grid/grid.ts";
import type { SweepCell } from "../../../product/research/sweep/sweepCell.ts";
import type { Context } from "../../command.ts";
import type { SweepRequest } from "./readRequest.ts";

/** Options of a sweep that its runs do not have, or that a cell adds to. */
const LEFT_OUT = [
  "grid",
  "sensitivity",
  "where",
  "random",
  "seed",
  "sort",
  "metric",
  "top",
  "workers",
  "store",
  "runLimit",
  "redis",
  "redisPrefix",
  "out",
  "reports",
];

/** The command of the run of a cell: `perplab backtest …` with everything that the sweep fixes, and the cell's own values. */
export function createCellCommand(
  { call }: Context,
  { axes, givenParams, base, sensitivities }: Pick<SweepRequest, "axes" | "givenParams" | "base" | "sensitivities">,
): (cell: Pick<SweepCell, "point">) => string {
  const fixed = call([...LEFT_OUT, "param", "set", ...sensitivities]).replace(/^perplab sweep/, "perplab backtest");
  const setBefore = Object.entries(base.options.parameters ?? {}).map(([name, value]) => `${name}=${value}`);
  return ({ point }) => {
    const params = givenParams.map((name) => `${name}=${base.strategies[0]!.params[name]}`);
    const sets = [...setBefore];
    const words: string[] = [];
    for (const [at, { text, params: own, options }] of valuesAt(axes, point).entries()) {
      const name = axes[at]!.name.replace(/^(param|run|set)\./, "");
      if (own !== undefined) params.push(`${name}=${text}`);
      else if (Object.keys(options?.parameters ?? {}).length > 0) sets.push(`${name}=${text}`);
      else words.push(`--${name}`, text);
    }
    if (params.length > 0) words.push("--param", ...params);
    if (sets.length > 0) words.push("--set", ...sets);
    return [fixed, ...words.map(quoteWord)].join(" ");
  };
}
