import { NONE } from "../../../ground/collections/table.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import { getDay } from "../state/insuranceDay.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

/**
 * The most that the fund may pay for an account now (LIQ-4): its balance, bounded by the rest of four caps of the
 * market,
 *
 *     account and owner    amount a UTC day, over all markets
 *     market               share of what the fund would hold had it paid nothing today, rounded down, a UTC day
 *     block                amount a block, over all accounts and markets
 *
 * A cap of 0 means that nothing is paid. A deficit without a market is bounded by the fund alone. Its account was flat
 * and in debt before the pass (LIQ-7), which no rule of the venue causes. Cost: once per subaccount of the owner and
 * market with a payment today.
 */
export function getInsuranceRoom(state: State, account: AccountRow, market: number): bigint {
  const fund = state.totals.get(TOTAL.insurance);
  if (market === NONE || fund === 0n) return fund;
  const rules = state.parameters[market as MarketRow]!;
  const { insured, accounts, owners } = state;
  const today = insured.day === getDay(state.timeMs);
  let ofOwner = 0n;
  let ofAll = 0n;
  if (today) {
    for (let at = owners.account[accounts.owner[account]]; at !== NONE; at = accounts.ownerNext[at]) {
      ofOwner += insured.accounts.get(at) ?? 0n;
    }
    for (const paid of insured.markets.values()) ofAll += paid;
  }
  const ofAccount = today ? (insured.accounts.get(account) ?? 0n) : 0n;
  const ofMarket = today ? (insured.markets.get(market) ?? 0n) : 0n;
  const share = ((fund + ofAll) * BigInt(rules.insuranceCapMarket)) / BigInt(PPM);
  let room = fund;
  for (const left of [
    BigInt(rules.insuranceCapAccount) - ofAccount,
    BigInt(rules.insuranceCapOwner) - ofOwner,
    BigInt(rules.insuranceCapBlock) - insured.paidInBlock(state.height),
    share - ofMarket,
  ]) {
    if (left < room) room = left;
  }
  return room > 0n ? room : 0n;
}
