import { positionOf } from "../accounts.ts";
import { abs, divFloor, max } from "../arithmetic.ts";
import { feeOf } from "../fees/fees.ts";
import { lookAhead } from "../margin/afterFill.ts";
import { isOutOfRange, measure } from "../margin/health.ts";
import { sideOf } from "../orders/book.ts";
import type { Account, ModelState, Order } from "../state.ts";
import { LIMIT, PPM } from "../words.ts";

/** Units by which a forecast fill and the real fill may differ (ORD-2). */
const UNITS = 4n;

/** A maker's trades with the order so far. */
interface Made {
  /** Greatest possible fees without rebates, less the fees paid. */
  extra: bigint;
  value: bigint;
  plain: boolean;
}

/** A tried fill of a maker, with the maker's sign. */
export interface Tried {
  readonly lots: bigint;
  readonly value: bigint;
  readonly fee: bigint;
  /** ppm; a rebate is negative. */
  readonly rate: bigint;
  /** Whether the maker may trade at this fee. */
  readonly may: (fee: bigint) => boolean;
}

/**
 * Whether a fill-or-kill order met a maker whose fill cannot be forecast to the unit. The venue may then kill the order
 * although it would fill whole (ORD-2).
 */
export class FillForecast {
  found = false;
  readonly #made = new Map<Account, Made>();
  readonly #state: ModelState;

  constructor(state: ModelState) {
    this.#state = state;
  }

  /** Call before a maker's order is tried. */
  meet(order: Order, tried: Tried): void {
    if (!this.found) this.found = this.#isDoubtful(order, tried);
  }

  /** Call after it filled. */
  fill({ account, market, side, reduceOnly }: Order, { value, fee, rate }: Tried): void {
    // The forecast does not cover what happens to its owner's reduce-only orders; they may be cancelled.
    const others = sideOf(market, side).filter((other) => other.account === account && other.reduceOnly);
    const isTrimmed = market.parameters.reduceOnlyResting === "trim";
    if (isTrimmed && !reduceOnly && others.length > 0) this.found = true;
    const made = this.#made.get(account) ?? { extra: 0n, value: 0n, plain: false };
    made.extra += mostOf(value, rate) - fee;
    made.value += abs(value);
    made.plain ||= !reduceOnly;
    this.#made.set(account, made);
  }

  #isDoubtful(order: Order, { lots, value, fee, rate, may }: Tried): boolean {
    const { account, market, reduceOnly } = order;
    const { intents } = this.#state;
    // Orders of intents, and entries of waiting legs.
    if (intents.has(order.id) || [...intents.values()].some(({ entry }) => entry === order.id)) return true;
    const position = positionOf(account, market);
    const before = this.#made.get(account);
    const worth = abs(position.cost) + abs(value) + (before?.value ?? 0n);
    if (abs(account.collateral) + abs(position.isolated) + 4n * worth > LIMIT) return true;
    const most = mostOf(value, rate);
    if (before === undefined) {
      const least = (rate > 0n ? fee : -divFloor(abs(value) * -rate, PPM)) - UNITS;
      return account.role !== "house" && may(most) !== may(least);
    }
    const isTrimmed = market.parameters.reduceOnlyResting === "trim";
    if (position.mode === "isolated" || (isTrimmed && reduceOnly && before.plain)) return true;
    if (account.role === "house") return false;
    if (!may(fee) || isOutOfRange(measure({ account, isolated: undefined }))) return true;
    const { after } = lookAhead(account, market, lots, value, most + before.extra);
    return 2n * after.equity < after.initial + after.maintenance;
  }
}

/** The maker's greatest possible fee, without a rebate. */
function mostOf(value: bigint, rate: bigint): bigint {
  return feeOf(abs(value), max(0n, rate)) + UNITS;
}

/** Whether the taker would come near the storable limit if all of the order filled (NUM-3). */
export function isNearBound(account: Account, position: { cost: bigint; isolated: bigint }, value: bigint): boolean {
  return abs(account.collateral) + abs(position.isolated) + 4n * (abs(position.cost) + abs(value)) > LIMIT;
}
