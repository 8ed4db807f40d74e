import type { Lots, PriceE8 } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { ROLE, SIDE } from "../../../protocol/words.ts";
import { DEPTH, measureMarginAccount } from "../margin/health.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import type { Ranking } from "../state/riskIndex.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeNotionalBig } from "../valuation/notional.ts";
import { getRanker, type Score } from "./rankers.ts";
import { getReserve } from "./reserve.ts";

/**
 * The ranking that a position is deleveraged against. It is made when a risk pass first needs that side of the market
 * and is valid until the pass ends. Like the queue it is fixed once: a cascade does not rank all accounts again for
 * every position (LIQ-5). Accounts closed since are skipped.
 */
export function getRanking(state: State, position: PositionRow): Ranking {
  const { positions, risk } = state;
  const side = positions.signedLots[position] > 0 ? SIDE.sell : SIDE.buy;
  const key = positions.market[position] * 2 + side;
  let ranking = risk.rankings.get(key);
  if (ranking === undefined) {
    ranking = { positions: rankOpposite(state, position), first: 0 };
    risk.rankings.set(key, ranking);
  }
  const { positions: ranked } = ranking;
  while (ranking.first < ranked.length && positions.signedLots[ranked[ranking.first]!] === 0) ranking.first++;
  return ranking;
}

/** A position as it is ranked. */
export interface RankedPosition extends Score {
  readonly account: number;
  /** 0 with equity, 1 without, 2 for the house. */
  readonly group: number;
  /** over / under, nearly: decides where the difference is plain. */
  readonly near: number;
}

/** Values on which a position's place depends, at the mark. */
export interface RankTerms {
  /** Lots; positive is long. */
  readonly signedLots: Lots;
  readonly cost: number;
  /** Of its margin account. */
  readonly equity: bigint;
  readonly account: number;
  readonly house: boolean;
  /** Accounts there are, and the height: for orders that turn. */
  readonly accounts: number;
  readonly height: number;
}

/** Score of a position for deleveraging, by the market's policy (LIQ-5). */
export function scorePosition(
  rules: Pick<MarketParameters, "liquidationPolicy" | "lotNumerator" | "lotDenominator">,
  mark: PriceE8,
  { signedLots, cost, equity, account, house, accounts, height }: RankTerms,
): RankedPosition {
  const notional = computeNotionalBig(rules, signedLots, mark);
  const profit = (signedLots > 0 ? notional : -notional) - BigInt(cost);
  const solvent = equity > 0n;
  const terms = { signedLots, notional, cost: BigInt(Math.abs(cost) || 1), profit, equity, account, accounts, height };
  const { over, under } = solvent ? getRanker(rules)(terms) : NOTHING;
  return { account, group: house ? 2 : solvent ? 0 : 1, over, under, near: Number(over) / Number(under) };
}

interface Ranked extends RankedPosition {
  readonly position: PositionRow;
}

/**
 * The opposite side of a position, in the order in which it is closed against (LIQ-5): by the score of the market's
 * ranker, greatest first. Equity is that of the position's margin account. Scores are compared crosswise, ties go by
 * account id. Margin accounts without positive equity come after those with it; house accounts come last. Cost: once
 * per position row of the venue.
 */
export function rankOpposite(state: State, position: PositionRow): PositionRow[] {
  const { positions, accounts, markets, height } = state;
  const market = positions.market[position];
  const long = positions.signedLots[position] > 0;
  const mark = markets.mark[market];
  const rules = state.parameters[market]!;
  const ranked: Ranked[] = [];
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    const signedLots = positions.signedLots[at];
    if (positions.market[at] !== market || signedLots === 0 || signedLots > 0 === long || !positions.rows.isLive(at))
      continue;
    const account = positions.account[at];
    const health = measureMarginAccount(state, account, marginAccountOf(state, at), DEPTH.risk);
    const equity = (health.overflow ? health.bigEquity : BigInt(health.equity)) - BigInt(getReserve(state, account));
    const house = accounts.role[account] === ROLE.house;
    const terms = {
      signedLots,
      cost: positions.cost[at],
      equity,
      account,
      house,
      accounts: accounts.rows.high,
      height,
    };
    ranked.push({ position: at, ...scorePosition(rules, mark, terms) });
  }
  ranked.sort(compareRanked);
  return ranked.map((entry) => entry.position);
}

const NOTHING: Score = { over: 0n, under: 1n };

/**
 * Two quotients of doubles that differ by more than this share are in the order of the exact ones: each is off by
 * 2^-51.
 */
const PLAIN = 1e-12;

/** Order of deleveraging: the first in it is closed first. */
export function compareRanked(a: RankedPosition, b: RankedPosition): number {
  if (a.group !== b.group) return a.group - b.group;
  const difference = b.near - a.near;
  const greater = Math.abs(a.near) > Math.abs(b.near) ? Math.abs(a.near) : Math.abs(b.near);
  if (difference > greater * PLAIN || -difference > greater * PLAIN) return difference;
  const left = a.over * b.under;
  const right = b.over * a.under;
  if (left !== right) return left > right ? -1 : 1;
  return a.account - b.account;
}
