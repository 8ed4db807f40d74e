/** Texts at the edges of every parameter's range, and beyond them: what a definition just takes, and just does not. */
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { PARAMETER_RANGES } from "../../../protocol/parameters.ts";
import type { Choices } from "./choices.ts";

interface ParameterEdges {
  readonly parameter: string;
  /** Texts that the range allows. */
  readonly inside: readonly string[];
  /** Texts that it does not. */
  readonly outside: readonly string[];
}

/** What a market of a case may begin with. In the other statuses nothing happens, or all of it ends. */
const STATUSES: readonly string[] = ["active", "postOnly", "reduceOnly", "initializing"];
/** Fixed with the grid, which is drawn as a whole. */
const GRID: readonly string[] = ["tickSize", "lotSize"];

/** Every parameter with a range, but tick and lot. */
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

/** Up to four parameters at an edge of their range. */
export function drawParameterEdges(choices: Choices): Record<string, string> {
  const given: Record<string, string> = {};
  for (let left = 1 + choices.below(4); left > 0; left--) {
    const { parameter, inside } = choices.pick(PARAMETER_EDGES);
    given[parameter] = choices.pick(inside);
  }
  return given;
}
