import { max, min } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { countUnpaid } from "../margin/gates.ts";
import { addCollateral, collateralOf, type MarginAccount, marginAccountOf } from "../margin/health.ts";
import { maintenanceOf } from "../margin/valuation.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { computeLossShares } from "./bankruptcyValue.ts";
import { computeCoverLeft, payCover } from "./insurance.ts";
import type { Pass } from "./liquidationStep.ts";
import { insuresDeficit } from "./policies.ts";
import { emitStage, placeOf, recordOf } from "./record.ts";
import { measureWithoutReserve } from "./withoutReserve.ts";

/** The fund pays the deficit of a flat margin account within its limits; returns the unpaid rest (LIQ-6). */
export function coverDeficit(state: ModelState, marginAccount: MarginAccount, market: Market | undefined): bigint {
  const loss = -collateralOf(marginAccount);
  if (loss <= 0n) return 0n;
  const paid = min(loss, computeCoverLeft(state, marginAccount.account, market));
  if (paid > 0n) {
    payCover(state, marginAccount.account, market, paid, "deficit");
    addCollateral(marginAccount, paid);
  }
  if (loss > paid) countUnpaid(state, loss - paid);
  return loss - paid;
}

/**
 * Covers the deficit of a flat margin account. First the fund pays: the market of the largest position at
 * the start of the pass sets the caps, and its policy must allow it. Then the holders of the opposite side at
 * that time pay, pro rata to equity above maintenance and capped by it. The rest is bad debt (LIQ-6). An account that
 * was already flat then has no market and no opposite side (LIQ-7).
 */
export function payDeficit(state: ModelState, pass: Pass, marginAccount: MarginAccount): void {
  const held = listHeld(pass, marginAccount);
  const first = held[0];
  const loss = -collateralOf(marginAccount);
  if (loss <= 0n) return;
  if (first === undefined || insuresDeficit(first)) coverDeficit(state, marginAccount, first?.market);
  else countUnpaid(state, loss);
  if (collateralOf(marginAccount) === 0n) return;
  emitStage(state, marginAccount, "socialized", first?.market.ordinal, 0);
  const opposite = held.flatMap((own) =>
    (pass.signedLots.get(own)! > 0n ? pass.shorts : pass.longs).filter(({ market }) => market === own.market),
  );
  const holders = uniqueMarginAccounts(opposite.map(marginAccountOf)).filter(
    ({ account }) => account !== marginAccount.account,
  );
  holders.sort((a, b) => a.account.id - b.account.id || placeOf(a) - placeOf(b));
  const aboves = holders.map((holder) => {
    const { equity, maintenance } = measureWithoutReserve(holder);
    return max(0n, equity - maintenance);
  });
  for (const [place, share] of computeLossShares(-collateralOf(marginAccount), aboves).entries()) {
    if (share === 0n) continue;
    const holder = holders[place]!;
    emit(state, "lossSocialized", {
      liquidation: recordOf(marginAccount),
      account: holder.account.id,
      marginAccount: placeOf(holder),
      amount: share,
    });
    addCollateral(holders[place]!, -share);
    addCollateral(marginAccount, share);
  }
  const rest = -collateralOf(marginAccount);
  addCollateral(marginAccount, rest);
  bookBadDebt(state, marginAccount, rest);
}

/** The part of a margin account's deficit that no account pays (LIQ-6). */
export function bookBadDebt(state: ModelState, { account }: MarginAccount, amount: bigint): void {
  if (amount === 0n) return;
  state.totals.badDebt += amount;
  emit(state, "badDebtChanged", { delta: amount, account: account.id });
}

/** Positions of a margin account when the pass began, by larger maintenance, then market. */
function listHeld({ signedLots }: Pass, { account, isolated }: MarginAccount): Position[] {
  const maintenance = (position: Position) => maintenanceOf(position.market, signedLots.get(position)!);
  return [...signedLots.keys()]
    .filter((position) => position.account === account && marginAccountOf(position).isolated === isolated)
    .sort((a, b) => Number(maintenance(b) - maintenance(a)) || a.market.ordinal - b.market.ordinal);
}

function uniqueMarginAccounts(marginAccounts: readonly MarginAccount[]): MarginAccount[] {
  return [
    ...new Map(
      marginAccounts.map((marginAccount) => [marginAccount.isolated ?? marginAccount.account, marginAccount]),
    ).values(),
  ];
}
