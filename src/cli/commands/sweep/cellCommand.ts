import { quoteWord } from "../../../ground/collections/commandLine.ts";
import { type AxisValue, valuesAt } from "../../../product/research/sweep/grid/grid.ts";
import { LATENCY_OPTIONS } from "../../../product/research/sweep/sensitivity/presets.ts";
import type { SweepCell } from "../../../product/research/sweep/sweepCell.ts";
import type { Context } from "../../command.ts";
import { ACCOUNT_WORDS } from "../../readOption.ts";
import { toKey } from "./readAxes.ts";
import type { SweepRequest } from "./readRequest.ts";
import type { Given } from "./sweptStrategies.ts";

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

/** Options of latencies, and the settings of an account that they are. */
const LATENCIES = Object.entries(LATENCY_OPTIONS);

/**
 * The command of the run of a cell: `perplab backtest …` with everything that the sweep fixes, and the cell's own
 * values.
 */
export function createCellCommand(
  { call }: Context,
  { axes, swept, base, sensitivities }: Pick<SweepRequest, "axes" | "swept" | "base" | "sensitivities">,
): (cell: Pick<SweepCell, "point">) => string {
  const fixed = call([...LEFT_OUT, "param", "account", "set", ...sensitivities.map(toKey)]).replace(
    /^perplab sweep/,
    "perplab backtest",
  );
  const setBefore = Object.entries(base.options.parameters ?? {}).map(([name, value]) => `${name}=${value}`);
  const isVaried = ({ name }: Given) => sensitivities.some((option) => option === name.split("@", 1)[0]);
  const accountsBefore = swept.given.accounts.filter((one) => !isVaried(one));
  return ({ point }) => {
    const params = swept.given.params.map(({ text }) => text);
    const accounts = accountsBefore.map(({ text }) => text);
    const sets = [...setBefore];
    const words: string[] = [];
    for (const [at, { text, params: own, options = {}, each }] of valuesAt(axes, point).entries()) {
      const { name: given, of } = axes[at]!;
      const name = given.replace(/^(param|run|set)\./, "").replace(/@.*$/, "");
      const word = of === undefined ? `${name}=${text}` : `${name}@${of}=${text}`;
      if (own !== undefined) params.push(word);
      else if (each !== undefined) accounts.push(...nameLatencies(each));
      else if (Object.keys(options.parameters ?? {}).length > 0) sets.push(word);
      // An option of the command would leave out strategies whose file gives them another value.
      else if (swept.isFile && ACCOUNT_WORDS.includes(name)) accounts.push(word);
      else words.push(`--${name}`, text);
    }
    if (params.length > 0) words.push("--param", ...params);
    if (accounts.length > 0) words.push("--account", ...accounts);
    if (sets.length > 0) words.push("--set", ...sets);
    return [fixed, ...words.map(quoteWord)].join(" ");
  };
}

/** Settings that differ by account are latencies: one of the three, in ms. */
function nameLatencies(each: NonNullable<AxisValue["each"]>): string[] {
  return Object.entries(each).flatMap(([account, settings]) =>
    LATENCIES.flatMap(([option, key]) => {
      const latency = settings[key];
      return typeof latency === "number" ? [`${option}@${account}=${latency}`] : [];
    }),
  );
}
