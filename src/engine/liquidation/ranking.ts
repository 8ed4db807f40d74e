import { ROLE, SIDE } from "../../protocol/words.ts";
import { bucketOf } from "../margin/bucket.ts";
import { measureBucket } from "../margin/health.ts";
import { computeNotionalWide } from "../margin/notional.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** One side of a market in the order in which it is deleveraged. */
export interface Ranking {
  readonly positions: readonly PositionRow[];
  /** Everybody before this place is closed. */
  first: number;
}

/**
 * The ranking that a position is deleveraged against. It is made when a risk pass first needs that side of the market and
 * stands until the pass ends: like the queue, it is fixed once, and a cascade does not rank everybody again for every
 * position (LIQ-5). Who was closed since is skipped.
 */
export function getRanking(state: State, position: PositionRow): Ranking {
  const { positions, risk } = state;
  const side = positions.size[position] > 0 ? SIDE.sell : SIDE.buy;
  const key = positions.market[position] * 2 + side;
  let ranking = risk.rankings.get(key);
  if (ranking === undefined) {
    ranking = { positions: rankOpposite(state, position), first: 0 };
    risk.rankings.set(key, ranking);
  }
  const { positions: ranked } = ranking;
  while (ranking.first < ranked.length && positions.size[ranked[ranking.first]!] === 0) ranking.first++;
  return ranking;
}

interface Ranked {
  readonly position: PositionRow;
  readonly account: number;
  readonly house: boolean;
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * The opposite side of a position, in the order in which it is closed against (LIQ-5): by
 *
 *     long  notional^2 / (cost * equity)        short  |cost| / equity
 *
 * greatest first, equity being that of the position's bucket, compared crosswise, ties by account id; buckets without positive equity after those with; house
 * accounts last. Cost: once per position row of the venue.
 */
export function rankOpposite(state: State, position: PositionRow): PositionRow[] {
  const { positions, accounts, markets } = state;
  const market = positions.market[position];
  const long = positions.size[position] > 0;
  const mark = markets.mark[market];
  const rules = state.parameters[market]!;
  const ranked: Ranked[] = [];
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    const size = positions.size[at];
    if (positions.market[at] !== market || size === 0 || size > 0 === long || !positions.rows.isLive(at)) continue;
    const account = positions.account[at];
    const health = measureBucket(state, account, bucketOf(state, at));
    const equity = health.wide ? health.bigEquity : BigInt(health.equity);
    const cost = BigInt(Math.abs(positions.cost[at]) || 1);
    const notional = computeNotionalWide(rules, size, mark);
    ranked.push({
      position: at,
      account,
      house: accounts.role[account] === ROLE.house,
      over: equity <= 0n ? -1n : size > 0 ? notional * notional : cost,
      under: equity <= 0n ? 1n : size > 0 ? cost * equity : equity,
    });
  }
  ranked.sort(compareRanked);
  return ranked.map((entry) => entry.position);
}

function compareRanked(a: Ranked, b: Ranked): number {
  if (a.house !== b.house) return a.house ? 1 : -1;
  const left = a.over * b.under;
  const right = b.over * a.under;
  if (left !== right) return left > right ? -1 : 1;
  return a.account - b.account;
}
