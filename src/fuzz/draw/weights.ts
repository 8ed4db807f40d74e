import type { Draw } from "../../math/draw.ts";
import { OPERATIONS, type Operation } from "../genes/operations.ts";

/** How often an operation is drawn. */
export type Weights = Readonly<Record<Operation, number>>;

/** A venue in use: everybody trades, prices move, blocks are short. */
export const UNIFORM: Weights = {
  block: 110,
  placeOrder: 180,
  placeOrders: 12,
  amendOrder: 18,
  cancelOrder: 16,
  cancelOrders: 6,
  cancelAll: 4,
  closePosition: 14,
  setLeverage: 8,
  setMarginMode: 9,
  adjustIsolatedMargin: 9,
  transfer: 9,
  withdraw: 10,
  placeIntent: 28,
  cancelIntent: 4,
  scheduleCancel: 5,
  noop: 2,
  grantAuthorization: 6,
  revokeAuthorization: 3,
  price: 60,
  deposit: 4,
  faucetMint: 4,
  fundInsurance: 3,
  createMarket: 2,
  updateMarket: 12,
  settleMarket: 1,
  houseFlow: 6,
  gap: 2,
  duplicate: 3,
  delay: 3,
  reorder: 3,
  truncate: 2,
  crash: 1,
  devnetSet: 3,
  devnetImpersonate: 4,
};

/** Operations that a swarm never leaves out: without them nothing happens. */
const KEPT: readonly Operation[] = ["block", "placeOrder", "price"];

/**
 * Some operations left out, the others more or less often than usual, some of them wildly. What ends things stays rare,
 * else nothing is left to test.
 */
export function drawSwarm(random: Draw): Weights {
  const entries = OPERATIONS.map((name): [Operation, number] => {
    const usual = UNIFORM[name];
    if (!KEPT.includes(name) && random.chance(2, 5)) return [name, 0];
    if (random.chance(1, 2)) return [name, usual];
    const most = !ENDS.includes(name) && random.chance(1, 6) ? 100 : 4 * usual;
    return [name, Math.max(KEPT.includes(name) ? 40 : 1, random.below(most + 1))];
  });
  return Object.fromEntries(entries) as Record<Operation, number>;
}

/** Operations that end what others began. */
const ENDS: readonly Operation[] = ["cancelAll", "settleMarket", "updateMarket", "gap", "truncate", "delay", "crash"];

/** Draws the place of an operation by weight. */
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
