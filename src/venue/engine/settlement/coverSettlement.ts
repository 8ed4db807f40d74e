import { NONE } from "../../../ground/collections/table.ts";
import type { Amount } from "../../../ground/math/fixed.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE } from "../../../protocol/events.ts";
import { ROLE } from "../../../protocol/words.ts";
import { changeBalance, payFromInsurance } from "../insurance/insurance.ts";
import { getInsuranceRoom } from "../insurance/insuranceCaps.ts";
import { toAmount } from "../liquidation/liquidatedAccount.ts";
import { computeLossShare } from "../liquidation/lossShare.ts";
import { getReserve } from "../liquidation/reserve.ts";
import { measureMarginAccount } from "../margin/health.ts";
import { noteUncovered } from "../margin/outflow.ts";
import { getCollateral, marginAccountMarket, marginAccountOf } from "../state/marginAccount.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

/** A margin account that had a position in a settled market, and the realised PnL of the close. */
export interface Settled {
  readonly account: AccountRow;
  readonly isolated: PositionRow;
  readonly gain: number;
}

interface Deficit {
  readonly marginAccount: Settled;
  left: number;
}

/**
 * Pays for flat margin accounts that settlement left negative (MKT). First the fund pays, within its caps, account by
 * account. Then the accounts that gained in this market pay, pro rata to their gain as far as their margin account
 * still has it, rounded down. The rest is bad debt. The risk pass handles margin accounts with other positions. House
 * accounts keep their debt.
 */
export function coverSettlement(state: State, market: MarketRow, closed: readonly Settled[]): void {
  const deficits = findDeficits(state, closed);
  let total = 0n;
  for (const deficit of deficits) {
    deficit.left -= payFromFund(state, market, deficit);
    total += BigInt(deficit.left);
  }
  if (total === 0n) return;
  noteUncovered(state, total);
  let collected = collectHaircut(state, market, closed, total);
  for (const { marginAccount, left } of deficits) {
    const { account, isolated } = marginAccount;
    const covered = (BigInt(left) < collected ? left : Number(collected)) as Amount;
    collected -= BigInt(covered);
    if (covered > 0) changeBalance(state, account, covered, BALANCE_CAUSE.socialized, isolated);
    const debt = (left - covered) as Amount;
    if (debt === 0) continue;
    changeBalance(state, account, debt, BALANCE_CAUSE.badDebt, isolated);
    state.totals.add(TOTAL.badDebt, debt);
    state.events.badDebtChanged({ delta: debt, account });
  }
}

function findDeficits(state: State, closed: readonly Settled[]): Deficit[] {
  return closed
    .map((marginAccount) => ({
      marginAccount,
      left: -getCollateral(state, marginAccount.account, marginAccount.isolated),
    }))
    .filter(
      ({ marginAccount, left }) =>
        left > 0 && state.accounts.role[marginAccount.account] !== ROLE.house && isFlat(state, marginAccount),
    );
}

function isFlat(state: State, { account, isolated }: Settled): boolean {
  const { positions } = state;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] !== 0 && marginAccountOf(state, at) === isolated) return false;
  }
  return true;
}

function payFromFund(state: State, market: MarketRow, { marginAccount, left }: Deficit): number {
  const room = getInsuranceRoom(state, marginAccount.account, market);
  const paid = (BigInt(left) < room ? left : Number(room)) as Amount;
  if (paid > 0)
    payFromInsurance(state, marginAccount.account, marginAccount.isolated, paid, INSURANCE_CAUSE.deficit, market);
  return paid;
}

/** Takes a loss from the accounts that gained, and returns the amount that was paid. */
function collectHaircut(state: State, market: MarketRow, closed: readonly Settled[], loss: bigint): bigint {
  const winners = closed
    .filter(({ gain }) => gain > 0)
    .map((marginAccount) => {
      const health = measureMarginAccount(state, marginAccount.account, marginAccount.isolated);
      const equity =
        (health.overflow ? health.bigEquity : BigInt(health.equity)) - BigInt(getReserve(state, marginAccount.account));
      const gain = BigInt(marginAccount.gain);
      return { marginAccount, above: equity < gain ? (equity > 0n ? equity : 0n) : gain };
    })
    .filter(({ above }) => above > 0n);
  const total = winners.reduce((sum, { above }) => sum + above, 0n);
  if (total === 0n) return 0n;
  let paid = 0n;
  for (const { marginAccount, above } of winners) {
    const amount = toAmount(computeLossShare(loss, above, total));
    if (amount === 0) continue;
    const { account, isolated } = marginAccount;
    paid += BigInt(amount);
    state.events.settlementHaircut({ market, account, marginAccount: marginAccountMarket(state, isolated), amount });
    changeBalance(state, account, (0 - amount) as Amount, BALANCE_CAUSE.socialized, isolated);
  }
  return paid;
}
