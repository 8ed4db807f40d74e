import type { Ppb, TimeMs } from "../../math/fixed.ts";
import { allowsFunding } from "../../protocol/lifecycle.ts";
import { OPERATION } from "../../protocol/validity.ts";
import { FUNDING_METHOD } from "../../protocol/words.ts";
import { highOf, joinIndex, lowOf, wrapIndex } from "../funding/cumulativeIndex.ts";
import { computeIndexDelta } from "../funding/indexDelta.ts";
import { getPremium } from "../funding/premium.ts";
import { computeEightHourRate, computeFundingShare } from "../funding/rate.ts";
import {
  addSample,
  clearPremiums,
  computeMeanPremium,
  computeMinute,
  countMinutes,
  getPremiumSum,
  isSampleDue,
  MINUTE,
  setPremiumSum,
} from "../funding/samples.ts";
import { allows } from "../prices/validity.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Step 3 of a block: premium sample, and settlement where an interval ended (FND-1, FND-2). */
export function accrueFunding(state: State): void {
  const count = state.markets.rows.high;
  for (let market = 0 as MarketRow; market < count; market++) {
    const { settleReported } = state.markets;
    // A recorded rate is paid in the block that reports it, or not at all.
    const reported = settleReported[market] !== 0;
    if (reported) settleReported[market] = 0;
    if (state.markets.index[market] === 0 || !allowsFunding(state.parameters[market]!)) continue;
    if (!allows(state, market, OPERATION.funding)) continue;
    if (state.parameters[market]!.fundingMethod !== FUNDING_METHOD.external) settleSampled(state, market);
    else if (reported) settleRecorded(state, market);
  }
}

function settleRecorded(state: State, market: MarketRow): void {
  const { markets } = state;
  payFunding(state, market, { rate: markets.reportedRate[market], due: 0, carry: 0, settled: state.timeMs });
}

function settleSampled(state: State, market: MarketRow): void {
  // A minute of dYdX begins with the interval; the others count the sample of the block that ends an interval.
  if (state.parameters[market]!.fundingMethod === FUNDING_METHOD.dydx) {
    settleInterval(state, market);
    takeSample(state, market);
  } else {
    takeSample(state, market);
    settleInterval(state, market);
  }
}

/** Adds what an interval pays, where one has ended, to what is due, and pays of it what may be paid at once. */
function settleInterval(state: State, market: MarketRow): void {
  const { markets, timeMs } = state;
  const rules = state.parameters[market]!;
  const continuous = rules.fundingMethod === FUNDING_METHOD.continuous;
  const interval = rules.fundingInterval;
  const ended = continuous ? timeMs : Math.floor(timeMs / interval) * interval;
  let due: number = markets.fundingDue[market];
  let carry: number = markets.fundingCarry[market];
  const settled = markets.settledTime[market];
  if (ended > settled) {
    closeMinute(state, market);
    const samples = markets.premiumSamples[market];
    // Intervals missed in a gap lapse; the first block of a venue only starts the clock.
    if (settled > 0 && samples > 0) {
      const minutes = countMinutes(settled, settled + interval);
      const eight = computeEightHourRate(
        rules,
        computeMeanPremium(rules, getPremiumSum(state, market), samples, minutes),
      );
      const share = computeFundingShare(
        rules,
        eight,
        continuous ? Math.min(ended - settled, interval) : interval,
        carry,
      );
      due += share.rate;
      carry = share.carry;
    }
    if (!continuous) clearPremiums(state, market, ended);
  } else if (due === 0) {
    return;
  }
  const most: number = rules.fundingPaymentMax;
  const rate = due > most ? most : due < -most ? 0 - most : due;
  payFunding(state, market, { rate, due: due - rate, carry, settled: Math.max(ended, settled) });
}

function takeSample(state: State, market: MarketRow): void {
  const { markets, timeMs } = state;
  const rules = state.parameters[market]!;
  const sampled = markets.sampledTime[market];
  if (!isSampleDue(rules, sampled, timeMs)) return;
  const premium = getPremium(state, market);
  if (rules.fundingMethod === FUNDING_METHOD.dydx) {
    if (Math.floor(timeMs / MINUTE) > Math.floor(sampled / MINUTE)) closeMinute(state, market);
    markets.minuteSum[market] += premium;
    markets.minuteSamples[market]++;
  } else {
    addPremium(state, market, premium, timeMs - sampled);
  }
  markets.sampledTime[market] = timeMs as TimeMs;
  state.events.fundingSampled({
    market,
    premium,
    sum: markets.premiumSum[market],
    sumHigh: markets.premiumHigh[market],
    samples: markets.premiumSamples[market],
    minuteSum: markets.minuteSum[market],
    minuteSamples: markets.minuteSamples[market],
    timeMs,
  });
}

function addPremium(state: State, market: MarketRow, premium: number, elapsedMs: number): void {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const before = getPremiumSum(state, market);
  setPremiumSum(state, market, addSample(rules, before, markets.premiumSamples[market], premium, elapsedMs));
  markets.premiumSamples[market]++;
}

/** Makes one value of the samples of a minute of dYdX. The event of what closes it tells. */
function closeMinute(state: State, market: MarketRow): void {
  const { markets } = state;
  if (markets.minuteSamples[market] === 0) return;
  addPremium(state, market, computeMinute(markets.minuteSum[market], markets.minuteSamples[market]), 0);
  markets.minuteSum[market] = 0;
  markets.minuteSamples[market] = 0;
}

/** One payment of a market, and what it leaves. */
interface Payment {
  /** ppb. */
  readonly rate: number;
  /** ppb that later blocks pay. */
  readonly due: number;
  readonly carry: number;
  /** Time up to which funding is now paid. */
  readonly settled: number;
}

/** Moves the cumulative index by one payment, at the index price (FND-3). */
function payFunding(state: State, market: MarketRow, { rate, due, carry, settled }: Payment): void {
  const { markets } = state;
  const delta = computeIndexDelta(state.parameters[market]!, rate, markets.index[market]);
  const index = wrapIndex(joinIndex(markets.fundingHigh[market], markets.fundingLow[market]) + delta);
  markets.fundingHigh[market] = highOf(index);
  markets.fundingLow[market] = lowOf(index);
  markets.fundingRate[market] = rate as Ppb;
  markets.fundingDue[market] = due as Ppb;
  markets.fundingCarry[market] = carry;
  markets.settledTime[market] = settled as TimeMs;
  state.events.fundingAccrued({
    market,
    rate,
    due,
    carry,
    indexHigh: markets.fundingHigh[market],
    indexLow: markets.fundingLow[market],
    settledMs: settled,
  });
  if (delta !== 0n) markHolders(state, market);
}

/** Everybody with a position in the market owes or is owed: their margin is looked at in this block's risk pass. */
function markHolders(state: State, market: MarketRow): void {
  const { positions, accounts, risk } = state;
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    if (positions.market[at] === market && positions.size[at] !== 0 && positions.rows.isLive(at)) {
      risk.markDirty(accounts, positions.account[at]);
    }
  }
}
