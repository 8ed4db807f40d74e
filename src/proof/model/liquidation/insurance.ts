import { divFloor, max, min, sum } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import type { Account, Market, ModelState } from "../state.ts";
import { DAY_MS, PPM } from "../words.ts";

/** The fund's payments in the UTC day, for the accounts that a test picks. */
function paidToday(state: ModelState, picks: (account: number, market: number) => boolean): bigint {
  if (state.cover.day !== Math.floor(state.timeMs / DAY_MS)) return 0n;
  return sum([...state.cover.paid], ([key, amount]) => {
    const [account, market] = key.split("/");
    return picks(Number(account), Number(market)) ? amount : 0n;
  });
}

/**
 * The amount that the fund may still pay for an account in a market. It is bounded by the fund's balance, by the caps
 * of account, owner and market in a UTC day, and by that of the block. The market's share is of the fund before its
 * payments of that day (LIQ-4, decision 0011).
 */
export function computeCoverLeft(state: ModelState, account: Account, market: Market | undefined): bigint {
  if (market === undefined) return state.totals.insurance;
  const { insuranceCapAccount, insuranceCapOwner, insuranceCapMarket, insuranceCapBlock } = market.parameters;
  const { insurance } = state.totals;
  const whole = insurance + paidToday(state, () => true);
  const lefts = [
    insurance,
    insuranceCapAccount - paidToday(state, (payee) => payee === account.id),
    insuranceCapOwner - paidToday(state, (payee) => state.accounts[payee]?.owner === account.owner),
    divFloor(whole * insuranceCapMarket, PPM) - paidToday(state, (_payee, ordinal) => ordinal === market.ordinal),
    insuranceCapBlock - state.coveredInBlock,
  ];
  return max(0n, lefts.reduce(min));
}

/** The fund pays for an account in a market; the caller credits the recipient. */
export function payCover(
  state: ModelState,
  account: Account,
  market: Market | undefined,
  amount: bigint,
  cause: "cover" | "deficit",
): void {
  const day = Math.floor(state.timeMs / DAY_MS);
  if (state.cover.day !== day) state.cover = { day, paid: new Map() };
  const key = `${account.id}/${market?.ordinal ?? ""}`;
  state.cover.paid.set(key, (state.cover.paid.get(key) ?? 0n) + amount);
  state.coveredInBlock += amount;
  state.totals.insurance -= amount;
  emit(state, "insuranceChanged", { delta: -amount, cause, market: market?.ordinal ?? -1, account: account.id });
}
