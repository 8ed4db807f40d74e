import type { Draw } from "../../../ground/math/draw.ts";
import { type ActionName, actions } from "../../../protocol/actions/index.ts";
import { OPERATIONS, type Operation } from "../genes/operations.ts";

/** Weight of each operation in a draw. */
export type Weights = Readonly<Record<Operation, number>>;

/** A venue in use: all accounts trade, prices move, blocks are short. The weight of an action is in its definition. */
export const UNIFORM: Weights = {
  ...(Object.fromEntries(Object.values(actions).map(({ name, weight }) => [name, weight])) as {
    readonly [A in ActionName]: number;
  }),
  block: 330,
  price: 180,
  gap: 6,
  duplicate: 9,
  delay: 9,
  reorder: 9,
  truncate: 6,
  crash: 1,
  flood: 0,
};

/** Operations that a swarm never leaves out: without them nothing happens. */
const KEPT: readonly Operation[] = ["block", "placeOrder", "price"];

/**
 * Leaves out some operations and changes the weights of the others, some of them strongly. Operations that end things
 * stay rare, so that something is left to test.
 */
export function drawSwarm(random: Draw): Weights {
  const entries = OPERATIONS.map((name): [Operation, number] => {
    const usual = UNIFORM[name];
    if (usual === 0) return [name, 0];
    if (!KEPT.includes(name) && random.chance(2, 5)) return [name, 0];
    if (random.chance(1, 2)) return [name, usual];
    const most = !ENDS.includes(name) && random.chance(1, 6) ? 300 : 4 * usual;
    return [name, Math.max(KEPT.includes(name) ? 120 : 1, random.below(most + 1))];
  });
  return Object.fromEntries(entries) as Record<Operation, number>;
}

/** Operations that end what others began. */
const ENDS: readonly Operation[] = ["cancelAll", "settleMarket", "updateMarket", "gap", "truncate", "delay", "crash"];

/**
 * Factor by which ending operations are rarer in full blocks, at most: later transactions of the block cannot react to
 * them.
 */
const CALM = 4;

/**
 * The same weights with rarer block ends. Ending operations, and prices, of which only the last in a block counts, are
 * a little rarer too.
 */
export function withDensity(weights: Weights, density: number): Weights {
  if (density === 1) return weights;
  const thin = (names: readonly Operation[], by: number) =>
    Object.fromEntries(names.map((name) => [name, Math.ceil(weights[name] / by)]));
  return { ...weights, ...thin(["price", ...ENDS], Math.min(density, CALM)), ...thin(["block", "gap"], density) };
}

/** Draws an operation by weight. */
export class Wheel {
  readonly #ends: number[] = [];

  constructor(weights: Weights) {
    let end = 0;
    for (const name of OPERATIONS) {
      end += weights[name];
      this.#ends.push(end);
    }
  }

  spin(random: Draw): number {
    const at = random.below(this.#ends[this.#ends.length - 1]!);
    return this.#ends.findIndex((end) => at < end);
  }
}
