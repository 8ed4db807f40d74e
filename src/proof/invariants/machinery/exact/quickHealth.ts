/**
 * Margin of an account in plain doubles, with a bound on their error. That suffices for a margin account far from a
 * margin threshold, which is the usual case. Near it, `exactHealth` decides. Rates and deductions are those of
 * MRG-1, from the market's texts.
 */
import { NONE } from "../../../../ground/collections/table.ts";
import type { MarketParameters } from "../../../../protocol/parameters.ts";
import { INITIAL_MARGIN_METHOD } from "../../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../../venue/engine/state/schema.ts";
import type { HealthView } from "./health.ts";

const MILLION = 1_000_000;
const WORD = 4_294_967_296;
/** More than the relative error of eight double roundings: 2^-49. */
const ERROR = 1.8e-15;

export class QuickHealth {
  equity = 0;
  maintenance = 0;
  positionInitial = 0;
  initial = 0;
  /** Error bound of the other values. */
  slack = 0;
  /** Nothing is open: equity is exactly the collateral. */
  isBare = true;

  /**
   * @param isolated the position whose margin account it is; NONE for the cross one
   * @param initials also compute initial margins
   */
  measure(view: HealthView, account: AccountRow, isolated: PositionRow, initials = true): this {
    const { accounts, positions } = view;
    this.equity = isolated === NONE ? accounts.collateral[account] : positions.isolated[isolated];
    this.maintenance = 0;
    this.positionInitial = 0;
    this.initial = 0;
    this.slack = Math.abs(this.equity) * ERROR;
    this.isBare = true;
    if (isolated !== NONE) this.#add(view, isolated, true, initials);
    else {
      for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
        this.#add(view, at, false, initials);
      }
    }
    return this;
  }

  /** True if equity certainly covers the margin. */
  covers(margin: number): boolean {
    return this.equity - margin > this.slack;
  }

  #add({ positions, markets, parameters }: HealthView, at: PositionRow, alone: boolean, initials: boolean): void {
    const signedLots: number = positions.signedLots[at];
    const buys: number = positions.buys[at];
    const sells: number = positions.sells[at];
    if (signedLots === 0 && (!initials || (buys === 0 && sells === 0))) return;
    const market = positions.market[at];
    const rules = parameters[market]!;
    const lot = (rules.lotSize * markets.mark[market]) / 1e10;
    const leverage = positions.leverage[at];
    const least: number = markets.initialRate[market];
    const own = positions.mode[at] !== 0;
    const notional = Math.abs(signedLots) * lot;
    const required = initials ? initialOf(rules, notional, leverage, least) : 0;
    if (signedLots !== 0 && (!own || alone)) {
      this.isBare = false;
      const cost: number = positions.cost[at];
      const move =
        (markets.fundingHigh[market] - positions.fundingHigh[at]) * WORD +
        (markets.fundingLow[market] - positions.fundingLow[at]);
      const funding = (signedLots * move - positions.fundingRemainder[at]) / 1e9;
      this.equity += signedLots * lot - cost - funding;
      this.maintenance += tieredMarginOf(rules, notional, false);
      this.positionInitial += required;
      this.slack += (notional + Math.abs(cost) + Math.abs(funding)) * ERROR + 8;
      // Large values are left to exact arithmetic.
      if (Math.abs(move) > 2 ** 61) this.slack = Number.POSITIVE_INFINITY;
    }
    if (!initials) return;
    if (alone) this.initial += required;
    else if (buys === 0 && sells === 0) {
      // No order rests: only the position counts. An isolated position has a margin account of its own.
      if (!own) this.initial += required;
      this.slack += required * ERROR;
    } else {
      const buy = initialOf(rules, Math.abs(signedLots + buys) * lot, leverage, least) + positions.buyOrderCost[at];
      const sell = initialOf(rules, Math.abs(signedLots - sells) * lot, leverage, least) + positions.sellOrderCost[at];
      const worse = Math.max(buy, sell);
      this.initial += own ? worse - required : worse;
      this.slack += (worse + required) * ERROR + 8;
    }
  }
}

/** Initial margin of a `stepped` market jumps at a bound: if doubles cannot decide the tier, it is infinite. */
function tieredMarginOf({ tiers, initialMarginMethod }: MarketParameters, notional: number, initial: boolean): number {
  const jumps = initial && initialMarginMethod === INITIAL_MARGIN_METHOD.stepped;
  let rate = 0;
  let deduction = 0;
  for (let place = 0; place < tiers.length; place++) {
    const tier = tiers[place]!;
    if (jumps && rate !== 0 && Math.abs(notional - tier.from) <= notional * ERROR + 8) return Number.POSITIVE_INFINITY;
    if (notional < tier.from) break;
    const next = initial ? tier.initialRate : tier.maintenanceRate;
    if (rate !== 0 && !jumps) deduction += Math.floor((tier.from * (next - rate)) / MILLION);
    rate = next;
  }
  return (notional * rate) / MILLION - deduction;
}

function initialOf(rules: MarketParameters, notional: number, leverage: number, least: number): number {
  const byTier = Math.max(tieredMarginOf(rules, notional, true), (notional * least) / MILLION);
  return leverage === 0 ? byTier : Math.max(byTier, notional / leverage);
}
