import type { Ppb, TimeMs } from "../../../ground/math/fixed.ts";
import { allowsFunding } from "../../../protocol/lifecycle.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { FUNDING_METHOD, MARKET_STATUS } from "../../../protocol/words.ts";
import { moveIndex, moveIndexBig } from "../funding/cumulativeIndex.ts";
import { computeIndexDelta, computeShortIndexDelta } from "../funding/indexDelta.ts";
import { addDue, getLastEnd } from "../funding/interval.ts";
import { getPremium } from "../funding/premium.ts";
import { addPremium, clearPremiums, closeMinute, isSampleDue, MINUTE } from "../funding/samples.ts";
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
    const funds = allowsFunding(state.parameters[market]!);
    if (!funds && !hasStopped(state, market)) continue;
    if (state.markets.index[market] === 0 || !allows(state, market, OPERATION.funding)) continue;
    if (!funds) payRest(state, market);
    else if (state.parameters[market]!.fundingMethod !== FUNDING_METHOD.reported) settleSampled(state, market);
    else if (reported) settleRecorded(state, market);
    else payRest(state, market);
  }
}

/** Whether a market stopped funding in this block, which then pays for the time until its end (FND-4). */
function hasStopped(state: State, market: MarketRow): boolean {
  return state.fundedBefore[market] === true && state.parameters[market]!.status !== MARKET_STATUS.settled;
}

/** Pays a part of the rate that is due, in a block that ends no interval. */
function payRest(state: State, market: MarketRow): void {
  if (state.markets.fundingDue[market] !== 0) payDue(state, market, state.markets.settledTime[market]);
}

/** A recorded rate. Blocks that report none pay the rest that another funding method left due. */
function settleRecorded(state: State, market: MarketRow): void {
  const { markets } = state;
  const due = markets.fundingDue[market];
  payFunding(state, market, markets.reportedRate[market], due, state.timeMs);
}

function settleSampled(state: State, market: MarketRow): void {
  startClock(state, market);
  // A minute of dYdX begins with the interval; the others count the sample of the block that ends an interval.
  if (state.parameters[market]!.fundingMethod === FUNDING_METHOD.dydx) {
    settleInterval(state, market);
    takeSample(state, market);
  } else {
    takeSample(state, market);
    settleInterval(state, market);
  }
}

/** The first interval of a market starts in the first block that may sample it (FND-2): time before is never paid. */
function startClock(state: State, market: MarketRow): void {
  if (state.markets.settledTime[market] === 0) clearPremiums(state, market, state.timeMs, 0);
}

/** Adds the payment of an ended interval to the rate that is due, and pays the part that may be paid at once. */
function settleInterval(state: State, market: MarketRow): void {
  const { markets, timeMs } = state;
  const rules = state.parameters[market]!;
  const ended = getLastEnd(rules, timeMs);
  const settled = markets.settledTime[market];
  if (ended > settled) {
    addDue(state, market, rules, ended);
    if (rules.fundingMethod !== FUNDING_METHOD.continuous)
      clearPremiums(state, market, ended, markets.sampledTime[market]);
  } else if (markets.fundingDue[market] === 0) {
    return;
  }
  payDue(state, market, Math.max(ended, settled));
}

/** Pays as much of the rate that is due as may be paid at once. */
function payDue(state: State, market: MarketRow, settled: number): void {
  const due = state.markets.fundingDue[market];
  const most: number = state.parameters[market]!.fundingPaymentMax;
  const rate = due > most ? most : due < -most ? 0 - most : due;
  payFunding(state, market, rate, due - rate, settled);
}

function takeSample(state: State, market: MarketRow): void {
  const { markets, timeMs } = state;
  const rules = state.parameters[market]!;
  const sampled = markets.sampledTime[market];
  if (!isSampleDue(rules, sampled, timeMs)) return;
  const premium = getPremium(state, market);
  if (rules.fundingMethod === FUNDING_METHOD.dydx) {
    if (Math.floor(timeMs / MINUTE) > Math.floor(sampled / MINUTE)) closeMinute(state, market, rules);
    markets.minuteSum[market] += premium;
    markets.minuteSamples[market]++;
  } else {
    addPremium(state, market, rules, premium, timeMs - sampled);
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

/**
 * Moves the cumulative index by one payment, at the index price (FND-3).
 *
 * @param rate    ppb
 * @param due     ppb that later blocks pay
 * @param settled time up to which funding is now paid
 */
function payFunding(state: State, market: MarketRow, rate: number, due: number, settled: number): void {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const delta = computeShortIndexDelta(rules, rate, markets.index[market]);
  const isShort = !Number.isNaN(delta);
  if (isShort) moveIndex(markets, market, delta);
  else moveIndexBig(markets, market, computeIndexDelta(rules, rate, markets.index[market]));
  markets.fundingRate[market] = rate as Ppb;
  markets.fundingDue[market] = due as Ppb;
  markets.settledTime[market] = settled as TimeMs;
  const paid = state.paidFunding;
  paid.market = market;
  paid.rate = rate;
  paid.due = due;
  paid.carry = markets.fundingCarry[market];
  paid.indexHigh = markets.fundingHigh[market];
  paid.indexLow = markets.fundingLow[market];
  paid.settledMs = settled;
  state.events.fundingAccrued(paid);
  if (delta !== 0) markHolders(state, market);
}

/** Every account with a position in the market pays or receives: its margin is checked in this block's risk pass. */
function markHolders(state: State, market: MarketRow): void {
  const { positions, accounts, risk } = state;
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    if (positions.market[at] === market && positions.signedLots[at] !== 0 && positions.rows.isLive(at)) {
      risk.markDirty(accounts, positions.account[at]);
    }
  }
}
