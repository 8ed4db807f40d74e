import { NONE } from "../../collections/table.ts";
import type { Amount } from "../../math/fixed.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE, LIQUIDATION_STAGE } from "../../protocol/events.ts";
import { bucketMarket, bucketOf, getCollateral } from "../margin/bucket.ts";
import { measureBucket } from "../margin/health.ts";
import { noteUncovered } from "../margin/outflow.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";
import { toAmount } from "./bucket.ts";
import { changeBalance, payFromInsurance } from "./insurance.ts";
import { getInsuranceRoom } from "./insuranceCaps.ts";
import { computeLossShare } from "./lossShare.ts";
import { getPolicy } from "./policies/index.ts";
import { getReserve } from "./reserve.ts";

/** A market in which the bucket held something when the pass began, and on which side. */
export interface Held {
  readonly market: number;
  readonly long: boolean;
}

/**
 * Covers the deficit of a flat bucket (LIQ-6): the fund first, within its caps, if the policy has it pay;
 * then those who held the opposite side when the pass began, pro rata to their equity above maintenance and capped by it,
 * rounded down; the rest is booked as bad debt. What the fund does not pay may pause withdrawals (MRG-5).
 */
export function coverDeficit(
  state: State,
  account: AccountRow,
  isolated: PositionRow,
  id: number,
  held: readonly Held[],
): void {
  const deficit = -getCollateral(state, account, isolated);
  if (deficit <= 0) return;
  const market = held[0]?.market ?? NONE;
  const insures = market === NONE || getPolicy(state, market).insuresDeficit;
  const room = insures ? getInsuranceRoom(state, account, market) : 0n;
  const paid = (BigInt(deficit) <= room ? deficit : Number(room)) as Amount;
  if (paid > 0) payFromInsurance(state, account, isolated, paid, INSURANCE_CAUSE.deficit, market);
  let left = deficit - paid;
  if (left === 0) return;
  noteUncovered(state, left);
  state.events.liquidationStage({
    liquidation: id,
    account,
    stage: LIQUIDATION_STAGE.socialized,
    market,
    cooldownMs: 0,
    zeroPrice: 0,
    bucket: bucketMarket(state, isolated),
  });
  left -= socialize(state, account, isolated, id, held, left);
  if (left === 0) return;
  changeBalance(state, account, left as Amount, BALANCE_CAUSE.badDebt, isolated);
  state.totals.add(TOTAL.badDebt, left as Amount);
  state.events.badDebtChanged({ delta: left, account });
}

/** Shares a loss out and returns how much of it was paid. */
function socialize(
  state: State,
  account: AccountRow,
  isolated: PositionRow,
  id: number,
  held: readonly Held[],
  loss: number,
): number {
  const shares = getOppositeHolders(state, account, held);
  let total = 0n;
  for (const share of shares) total += share.above;
  if (total === 0n) return 0;
  let paid = 0;
  for (const share of shares) {
    const amount = toAmount(computeLossShare(BigInt(loss), share.above, total));
    if (amount === 0) continue;
    paid += amount;
    state.events.lossSocialized({ liquidation: id, account: share.account, amount });
    changeBalance(state, share.account, (0 - amount) as Amount, BALANCE_CAUSE.socialized, share.isolated);
    changeBalance(state, account, amount, BALANCE_CAUSE.socialized, isolated);
  }
  return paid;
}

/** A bucket that held the opposite side, and its equity above maintenance. */
interface Holder {
  readonly account: AccountRow;
  readonly isolated: PositionRow;
  readonly above: bigint;
}

/**
 * Buckets that held the opposite side of a bucket when the pass began, with equity above maintenance; by account, then
 * cross before isolated ones by market.
 */
function getOppositeHolders(state: State, account: AccountRow, held: readonly Held[]): Holder[] {
  const { positions, risk } = state;
  const holders = new Map<string, Omit<Holder, "above">>();
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    if (!positions.rows.isLive(at)) continue;
    const size = risk.sizesBefore.get(at) ?? positions.size[at];
    if (size === 0) continue;
    const opposite = held.some(({ market, long }) => market === positions.market[at] && size > 0 !== long);
    if (!opposite || positions.account[at] === account) continue;
    const isolated = bucketOf(state, at);
    holders.set(`${positions.account[at]} ${isolated}`, { account: positions.account[at], isolated });
  }
  const marketOf = ({ isolated }: Omit<Holder, "above">) => bucketMarket(state, isolated);
  return [...holders.values()]
    .sort((a, b) => a.account - b.account || marketOf(a) - marketOf(b))
    .map((holder) => {
      const health = measureBucket(state, holder.account, holder.isolated);
      const over = health.wide
        ? health.bigEquity - health.bigMaintenance
        : BigInt(health.equity) - BigInt(health.maintenance);
      const above = over - BigInt(getReserve(state, holder.account));
      return { ...holder, above: above > 0n ? above : 0n };
    })
    .filter(({ above }) => above > 0n);
}
