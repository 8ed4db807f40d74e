/**
 * Margin of an account computed from scratch in big integers, from the market's parameter texts and by the
 * formulas of the protocol. Shares nothing with the engine's own arithmetic (MRG, FND-3, NUM-2).
 */

import type { MarketParameters } from "../../../../protocol/parameters.ts";
import { INITIAL_MARGIN_METHOD } from "../../../../protocol/words.ts";
import type {
  AccountRow,
  Accounts,
  MarketRow,
  Markets,
  PositionRow,
  Positions,
} from "../../../../venue/engine/state/schema.ts";
import { positionsOf } from "../../../../venue/engine/state/walk.ts";
import { VALUE_SCALE } from "./units.ts";

const MILLION = 1_000_000n;
const INDEX_SCALE = 1_000_000_000n;

/** Source of the numbers: a venue, or the ledger's copy of it. */
export interface HealthView {
  readonly accounts: Accounts;
  readonly positions: Positions;
  readonly markets: Markets;
  readonly parameters: readonly MarketParameters[];
}

export interface ExactHealth {
  readonly equity: bigint;
  readonly maintenance: bigint;
  /** Initial margin of positions alone. */
  readonly positionInitial: bigint;
  /** Initial margin with resting orders. */
  readonly initial: bigint;
  readonly notional: bigint;
  readonly losses: bigint;
}

export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function ceilDiv(a: bigint, b: bigint): bigint {
  return -floorDiv(-a, b);
}

/** Value of a size at a reference price, rounded down. */
export function exactValue(rules: MarketParameters, signedLots: bigint, price: bigint): bigint {
  return floorDiv(signedLots * BigInt(rules.lotSize) * price, VALUE_SCALE);
}

/** Notional of a size at a reference price, rounded up. */
export function exactNotional(rules: MarketParameters, signedLots: bigint, price: bigint): bigint {
  return ceilDiv((signedLots < 0n ? -signedLots : signedLots) * BigInt(rules.lotSize) * price, VALUE_SCALE);
}

/** A tier of one of the two margins: the notional from which it applies, its rate, and its deduction. */
export interface ExactTier {
  readonly least: bigint;
  readonly rate: bigint;
  readonly deduction: bigint;
}

type RateName = "initialRate" | "maintenanceRate";

const BELOW_TIERS: ExactTier = { least: 0n, rate: 0n, deduction: 0n };

/**
 * The tier above another. Its deduction is that for the lower rates of lower tiers. A `stepped` market has no deduction
 * from initial margin, and a notional at a bound belongs to the lower tier.
 */
function tierAbove(lower: ExactTier, tier: MarketParameters["tiers"][number], name: RateName, stepped: boolean) {
  const [from, rate, isFirst] = [BigInt(tier.from), BigInt(tier[name]), lower === BELOW_TIERS];
  const isDeducted = !isFirst && !(stepped && name === "initialRate");
  return {
    least: stepped && !isFirst ? from + 1n : from,
    rate,
    deduction: isDeducted ? lower.deduction + floorDiv(from * (rate - lower.rate), MILLION) : lower.deduction,
  };
}

/** Margin of a notional by tiers: notional * rate, rounded up, less the deduction. */
function byTiers(rules: MarketParameters, notional: bigint, name: RateName): bigint {
  const stepped = rules.initialMarginMethod === INITIAL_MARGIN_METHOD.stepped;
  let found = BELOW_TIERS;
  for (const tier of rules.tiers) {
    if (notional < BigInt(tier.from)) break;
    const above = tierAbove(found, tier, name, stepped);
    if (notional < above.least) break;
    found = above;
  }
  return marginIn(found, notional);
}

function marginIn({ rate, deduction }: ExactTier, notional: bigint): bigint {
  return ceilDiv(notional * rate, MILLION) - deduction;
}

/** All tiers of one of the two margins, for callers that ask for many notionals. */
export function listExactTiers(rules: MarketParameters, name: RateName): ExactTier[] {
  const stepped = rules.initialMarginMethod === INITIAL_MARGIN_METHOD.stepped;
  const list: ExactTier[] = [];
  for (const tier of rules.tiers) list.push(tierAbove(list.at(-1) ?? BELOW_TIERS, tier, name, stepped));
  return list;
}

/** Margin of a notional by a list of tiers. */
export function marginByTiers(tiers: readonly ExactTier[], notional: bigint): bigint {
  let place = tiers.length - 1;
  while (place >= 0 && notional < tiers[place]!.least) place--;
  return marginIn(tiers[place] ?? BELOW_TIERS, notional);
}

export function exactMaintenance(rules: MarketParameters, notional: bigint): bigint {
  return byTiers(rules, notional, "maintenanceRate");
}

/**
 * @param leverage the owner's choice, 0 for none
 * @param least    least rate by open interest, ppm
 */
export function exactInitial(rules: MarketParameters, notional: bigint, leverage: bigint, least = 0n): bigint {
  const byTier = byTiers(rules, notional, "initialRate");
  const scaled = ceilDiv(notional * least, MILLION);
  const tiered = scaled > byTier ? scaled : byTier;
  const chosen = leverage === 0n ? 0n : ceilDiv(notional, leverage);
  return chosen > tiered ? chosen : tiered;
}

/** The cumulative funding index, joined. */
export function joined(high: number, low: number): bigint {
  return BigInt(high) * 4_294_967_296n + BigInt(low);
}

/** The cumulative funding index of a sum, or the distance that it moved: it has 84 bits. */
export function asIndex(sum: bigint): bigint {
  return BigInt.asIntN(84, sum);
}

/** Unsettled funding of a position, rounded up; negative is receivable. */
export function exactFunding(state: HealthView, position: PositionRow): bigint {
  const { positions, markets } = state;
  const market = positions.market[position]!;
  const remainder: number = positions.fundingRemainder[position]!;
  const isStill =
    markets.fundingHigh[market] === positions.fundingHigh[position] &&
    markets.fundingLow[market] === positions.fundingLow[position];
  // Only what an earlier settlement charged too much is left: less than a unit, so it rounds up to zero.
  if (isStill && remainder >= 0 && remainder < 1e9) return 0n;
  const now = joined(markets.fundingHigh[market]!, markets.fundingLow[market]!);
  const then = joined(positions.fundingHigh[position]!, positions.fundingLow[position]!);
  const owed = BigInt(positions.signedLots[position]!) * asIndex(now - then);
  return ceilDiv(owed - BigInt(remainder), INDEX_SCALE);
}

/**
 * Initial margin of a market with the resting orders of an account, if its position had a size: that of the worse side
 * (MRG-3).
 */
export function exactWithOrders(
  { positions, markets, parameters }: HealthView,
  at: PositionRow,
  signedLots: bigint,
  mark: bigint,
): bigint {
  const market = positions.market[at]!;
  const rules = parameters[market]!;
  const leverage = BigInt(positions.leverage[at]!);
  const least = BigInt(markets.initialRate[market]!);
  const side = (exposure: bigint, orderCost: number) =>
    exactInitial(rules, exactNotional(rules, exposure, mark), leverage, least) + BigInt(orderCost);
  const buy = side(signedLots + BigInt(positions.buys[at]!), positions.buyOrderCost[at]!);
  const sell = side(signedLots - BigInt(positions.sells[at]!), positions.sellOrderCost[at]!);
  return buy > sell ? buy : sell;
}

/**
 * Equity and margins of a margin account. It is either an account's cross one, including margin reserved by orders of
 * its isolated positions, or that of one isolated position.
 *
 * @param isolated the position whose margin account it is; undefined for cross
 * @param markOf marks to value positions at; the venue's own by default
 */
export function exactHealth(
  state: HealthView,
  account: AccountRow,
  isolated?: PositionRow,
  markOf: (market: MarketRow, position: PositionRow) => number = (market) => state.markets.mark[market]!,
): ExactHealth {
  const { positions } = state;
  let equity = BigInt(isolated === undefined ? state.accounts.collateral[account]! : positions.isolated[isolated]!);
  let maintenance = 0n;
  let positionInitial = 0n;
  let initial = 0n;
  let notionals = 0n;
  let losses = 0n;
  for (const at of positionsOf(state, account)) {
    const own = positions.mode[at] !== 0;
    if (isolated !== undefined && at !== isolated) continue;
    const market = positions.market[at]!;
    const rules = state.parameters[market]!;
    const mark = BigInt(markOf(market, at));
    const signedLots = BigInt(positions.signedLots[at]!);
    const leverage = BigInt(positions.leverage[at]!);
    const least = BigInt(state.markets.initialRate[market]!);
    const notional = exactNotional(rules, signedLots, mark);
    const alone = exactInitial(rules, notional, leverage, least);
    if (signedLots !== 0n && (!own || isolated !== undefined)) {
      const gain = exactValue(rules, signedLots, mark) - BigInt(positions.cost[at]!) - exactFunding(state, at);
      equity += gain;
      if (gain < 0n) losses += gain;
      notionals += notional;
      maintenance += exactMaintenance(rules, notional);
      positionInitial += alone;
    }
    const worse = isolated === undefined ? exactWithOrders(state, at, signedLots, mark) : alone;
    initial += isolated === undefined && own ? worse - alone : worse;
  }
  return { equity, maintenance, positionInitial, initial, notional: notionals, losses };
}
