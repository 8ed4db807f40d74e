import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots } from "../../../ground/math/fixed.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE, LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import { changeBalance, payFromInsurance } from "../insurance/insurance.ts";
import { getInsuranceRoom } from "../insurance/insuranceCaps.ts";
import { measureMarginAccount } from "../margin/health.ts";
import { noteUncovered } from "../margin/outflow.ts";
import { getCollateral, marginAccountMarket, marginAccountOf } from "../state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";
import { computeMaintenanceBig, computeNotionalBig } from "../valuation/notional.ts";
import { toAmount } from "./liquidatedAccount.ts";
import { computeLossShare } from "./lossShare.ts";
import { getPolicy } from "./policies/index.ts";
import { getReserve } from "./reserve.ts";

/** A market in which the margin account held a position when the pass began, and its side. */
interface Held {
  readonly market: number;
  readonly long: boolean;
}

/**
 * Covers the deficit of a flat margin account (LIQ-6), in this order:
 *
 * - The fund, if the policy has it pay. Its caps are those of the market of the largest position that the margin
 *   account held when the pass began.
 * - The holders of the opposite side of its positions, pro rata to their equity above maintenance and capped by it,
 *   rounded down.
 * - The rest is booked as bad debt.
 *
 * An amount that the fund does not pay may pause withdrawals (MRG-5).
 */
export function coverDeficit(state: State, account: AccountRow, isolated: PositionRow, id: number): void {
  const deficit = -getCollateral(state, account, isolated);
  if (deficit <= 0) return;
  const held = findHeld(state, account, isolated);
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
    bankruptcyPrice: 0,
    marginAccount: marginAccountMarket(state, isolated),
  });
  left -= socialize(state, account, isolated, id, held, left);
  if (left === 0) return;
  changeBalance(state, account, left as Amount, BALANCE_CAUSE.badDebt, isolated);
  state.totals.add(TOTAL.badDebt, left as Amount);
  state.events.badDebtChanged({ delta: left, account });
}

/**
 * Positions of a margin account when the pass began, by larger maintenance margin, then market. Other steps may have
 * closed them since.
 */
function findHeld(state: State, account: AccountRow, isolated: PositionRow): Held[] {
  const { accounts, positions, markets, parameters, risk } = state;
  const list: (Held & { readonly maintenance: bigint })[] = [];
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const signedLots = (risk.sizesBefore.get(at) ?? positions.signedLots[at]) as Lots;
    if (signedLots === 0 || marginAccountOf(state, at) !== isolated) continue;
    const market = positions.market[at];
    const rules = parameters[market]!;
    const notional = computeNotionalBig(rules, signedLots, markets.mark[market]);
    list.push({ market, long: signedLots > 0, maintenance: computeMaintenanceBig(rules, notional) });
  }
  return list.sort((a, b) =>
    a.maintenance === b.maintenance ? a.market - b.market : a.maintenance > b.maintenance ? -1 : 1,
  );
}

/** Shares a loss and returns the amount that was paid. */
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
    const marginAccount = marginAccountMarket(state, share.isolated);
    state.events.lossSocialized({ liquidation: id, account: share.account, marginAccount, amount });
    changeBalance(state, share.account, (0 - amount) as Amount, BALANCE_CAUSE.socialized, share.isolated);
    changeBalance(state, account, amount, BALANCE_CAUSE.socialized, isolated);
  }
  return paid;
}

/** A margin account that held the opposite side, and its equity above maintenance. */
interface Holder {
  readonly account: AccountRow;
  readonly isolated: PositionRow;
  readonly above: bigint;
}

/**
 * Margin accounts that held the opposite side of a margin account when the pass began, with equity above maintenance
 * margin. They are ordered by account, then cross before isolated ones by market.
 */
function getOppositeHolders(state: State, account: AccountRow, held: readonly Held[]): Holder[] {
  const { positions, risk } = state;
  const holders = new Map<string, Omit<Holder, "above">>();
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    if (!positions.rows.isLive(at)) continue;
    const signedLots = risk.sizesBefore.get(at) ?? positions.signedLots[at];
    if (signedLots === 0) continue;
    const opposite = held.some(({ market, long }) => market === positions.market[at] && signedLots > 0 !== long);
    if (!opposite || positions.account[at] === account) continue;
    const isolated = marginAccountOf(state, at);
    holders.set(`${positions.account[at]} ${isolated}`, { account: positions.account[at], isolated });
  }
  const marketOf = ({ isolated }: Omit<Holder, "above">) => marginAccountMarket(state, isolated);
  return [...holders.values()]
    .sort((a, b) => a.account - b.account || marketOf(a) - marketOf(b))
    .map((holder) => {
      const health = measureMarginAccount(state, holder.account, holder.isolated);
      const over = health.overflow
        ? health.bigEquity - health.bigMaintenance
        : BigInt(health.equity) - BigInt(health.maintenance);
      const above = over - BigInt(getReserve(state, holder.account));
      return { ...holder, above: above > 0n ? above : 0n };
    })
    .filter(({ above }) => above > 0n);
}
