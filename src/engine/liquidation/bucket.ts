import { NONE } from "../../collections/table.ts";
import { type Amount, LIMIT } from "../../math/fixed.ts";
import { settleFunding } from "../funding/settle.ts";
import { bucketOf, getCollateral } from "../margin/bucket.ts";
import { computeMaintenanceWide, computeMarkedValueWide, computeNotionalWide } from "../margin/notional.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeZeroValues, ZeroValue } from "./zeroValue.ts";

/** One position of a bucket under liquidation, at the moment its zero price was fixed. */
export interface BucketPosition {
  readonly position: PositionRow;
  readonly market: number;
  readonly notional: bigint;
  readonly maintenance: bigint;
  /** Lots; positive is long. */
  readonly size: number;
  /** Cash that its close must fetch at the zero price, in slices. */
  readonly zero: ZeroValue;
}

/** A bucket by name. */
export interface BucketName {
  readonly account: AccountRow;
  /** The isolated position whose bucket it is, NONE for the account's cross bucket. */
  readonly isolated: PositionRow;
  /** Part of its equity that a backstop's loss limit keeps out of reach (LIQ-3); 0 for everybody else. */
  readonly reserve: number;
}

/** A bucket under liquidation. Equity (without the reserve) and maintenance are those at the start of its turn. */
export interface Bucket extends BucketName {
  /** Number of its record. */
  readonly id: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
  /** By larger maintenance, then market. */
  readonly positions: readonly BucketPosition[];
  /** Notional sent to the book in this turn, for policies with a cap on it. */
  sent: bigint;
}

/**
 * Fixes the zero prices of a bucket, once, before its first fill (LIQ). Funding is settled first, so equity is exact.
 *
 * A position's share of equity is its share of maintenance (`computeZeroValues`); closed at
 *
 *     value at mark - share            the zero price is mark * (1 - sign * m * equity / total maintenance)
 *
 * it leaves equity / maintenance of the rest as it was, and all of them closed leave equity exactly 0.
 */
export function openBucket(state: State, name: BucketName, id: number): Bucket {
  const { positions, markets, parameters } = state;
  const { account, isolated, reserve } = name;
  const list: {
    position: PositionRow;
    market: number;
    notional: bigint;
    maintenance: bigint;
    value: bigint;
    size: number;
  }[] = [];
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.size[at] === 0 || bucketOf(state, at) !== isolated) continue;
    settleFunding(state, at);
    const market = positions.market[at];
    const rules = parameters[market]!;
    const size = positions.size[at];
    const notional = computeNotionalWide(rules, size, markets.mark[market]);
    const maintenance = computeMaintenanceWide(rules, notional);
    const value = computeMarkedValueWide(rules, size, markets.mark[market]);
    list.push({ position: at, market, notional, maintenance, value, size });
  }
  list.sort((a, b) => (a.maintenance === b.maintenance ? a.market - b.market : a.maintenance > b.maintenance ? -1 : 1));
  let equity = BigInt(getCollateral(state, account, isolated)) - BigInt(reserve);
  let total = 0n;
  for (const { position, value, maintenance } of list) {
    equity += value - BigInt(positions.cost[position]);
    total += maintenance;
  }
  const zeros = computeZeroValues(equity, list);
  const parts = list.map(({ position, market, notional, maintenance, size }, place) => {
    return { position, market, notional, maintenance, size, zero: new ZeroValue(zeros[place]!, Math.abs(size)) };
  });
  return { ...name, id, equity, maintenance: total, positions: parts, sent: 0n };
}

/** A number for events: capped at what is storable. */
export function toAmount(value: bigint): Amount {
  const number = Number(value);
  return (number > LIMIT ? LIMIT : number < -LIMIT ? -LIMIT : number) as Amount;
}
