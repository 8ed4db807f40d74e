/** Texts at the edges of every parameter's range, and beyond: barely valid and barely invalid definitions. */
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { PARAMETER_RANGES } from "../../../protocol/parameterRanges.ts";
import type { Choices } from "./choices.ts";

interface ParameterEdges {
  readonly parameter: string;
  /** Texts within the range. */
  readonly inside: readonly string[];
  /** Texts out of range. */
  readonly outside: readonly string[];
}

/** Statuses with which a market of a case may start. In the other statuses nothing trades, or the market ends. */
const STATUSES: readonly string[] = ["active", "postOnly", "reduceOnly", "initializing"];
/** Set by the grid, which is drawn as a whole. */
const GRID: readonly string[] = ["tickSize", "lotSize"];

/** All parameters with a range, except tick and lot. */
export const PARAMETER_EDGES: readonly ParameterEdges[] = [...PARAMETER_RANGES]
  .filter(([parameter]) => !GRID.includes(parameter))
  .map(([parameter, { words, decimals, least, most, orZero }]) => {
    if (words.length > 0) {
      const inside = parameter === "status" ? words.filter((word) => STATUSES.includes(word)) : words;
      return { parameter, inside, outside: ["none"] };
    }
    const write = (units: readonly number[]) => [...new Set(units)].map((unit) => formatDecimal(unit, decimals));
    const middle = least < 0 ? [0, -1, 1] : [Math.min(most, 10 ** decimals)];
    const inside = write([least, least + 1, most, most - 1, ...(orZero ? [0] : []), ...middle]);
    const outside = write([least - 1, ...(orZero ? [1] : []), ...(most < LIMIT ? [most + 1] : [])]);
    return { parameter, inside, outside };
  });

/** Sets up to four parameters to an edge of their range. */
export function drawParameterEdges(choices: Choices): Record<string, string> {
  const given: Record<string, string> = {};
  for (let left = 1 + choices.below(4); left > 0; left--) {
    const { parameter, inside } = choices.pick(PARAMETER_EDGES);
    given[parameter] = choices.pick(inside);
  }
  return given;
}
