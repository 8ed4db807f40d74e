import { countOf } from "../../../ground/math/counts.ts";
import { formatPercent, formatSignedPercent } from "../../report/text/numbers.ts";
import type { Share } from "../statistics/quantiles.ts";
import type { Method, MethodReport, MonteCarloReport } from "./model.ts";

export const METHOD_NAMES: Readonly<Record<Method, string>> = {
  blocks: "Daily returns, drawn again in blocks",
  trips: "Round trips, in another order",
};

/** The meaning of a method's result, in a sentence or two. */
export function describeMethod({ method, meanBlock, steps }: MethodReport): string {
  return method === "blocks"
    ? `Each path draws ${steps} days in blocks of ${countOf(meanBlock ?? 1, "day")} on average, so consecutive days often stay together.`
    : `Each path has the same ${steps} closed round trips in another order, each with its return on the equity before it. It ends at the same equity as the run, with another drawdown.`;
}

/** A share with its interval, as `1.2 % (0.9 to 1.5 %)`. */
export function formatShare({ share, low, high }: Share): string {
  return `${formatPercent(share, 1)} (${formatPercent(low, 1).replace(" %", "")} to ${formatPercent(high, 1)})`;
}

/** Figures of a method with their meaning. */
export function listShares({ loss, ruin, deeper, recorded }: MethodReport, { ruinAt }: MonteCarloReport) {
  return [
    { label: "Loss", value: formatShare(loss), meaning: "Paths that end below the start." },
    {
      label: "Ruin",
      value: formatShare(ruin),
      meaning: `Paths whose equity falls to ${formatPercent(ruinAt, 0)} of the start at any step.`,
    },
    {
      label: "Deeper drawdown",
      value: formatShare(deeper),
      meaning: `Paths whose drawdown is at least that of the run, ${formatPercent(recorded.drawdown)}.`,
    },
  ];
}

/** Quantiles of return and drawdown, as percentages. */
export function listQuantiles({ final, drawdown, recorded }: MethodReport) {
  return [
    {
      label: "Return",
      recorded: formatSignedPercent(recorded.final - 1),
      quantiles: final.map((value) => formatSignedPercent(value - 1)),
    },
    {
      label: "Max drawdown",
      recorded: formatPercent(recorded.drawdown),
      quantiles: drawdown.map((value) => formatPercent(value)),
    },
  ];
}
