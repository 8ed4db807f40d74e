import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, PPM, type TimeMs } from "../../../ground/math/fixed.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";

const DAY_MS = 86_400_000;

/** The UTC day of a block's time, counted from 1970. */
export function getDay(timeMs: TimeMs | number): number {
  return Math.floor(timeMs / DAY_MS);
}

/**
 * Payments of the insurance fund in the UTC day of its last payment, in quote units: the caps of LIQ-4 are measured
 * against them. Payments to an owner are the sum over its accounts, payments to all the sum over markets.
 */
export class InsuranceDay {
  /** The day that the sums are of; of an earlier one they count for nothing. */
  day = 0;
  accounts: Map<AccountRow, bigint> = new Map();
  /** By market; NONE for deficits that belong to none. */
  markets: Map<number, bigint> = new Map();
  /** Sum of one block, and which. Not state: it is only read in the block that wrote it. */
  private height = -1;
  private ofBlock = 0n;

  add(timeMs: number, height: number, account: AccountRow, market: number, amount: Amount): void {
    const day = getDay(timeMs);
    if (day !== this.day) {
      this.day = day;
      this.accounts.clear();
      this.markets.clear();
    }
    if (height !== this.height) {
      this.height = height;
      this.ofBlock = 0n;
    }
    const paid = BigInt(amount);
    this.accounts.set(account, (this.accounts.get(account) ?? 0n) + paid);
    this.markets.set(market, (this.markets.get(market) ?? 0n) + paid);
    this.ofBlock += paid;
  }

  paidInBlock(height: number): bigint {
    return height === this.height ? this.ofBlock : 0n;
  }

  copy(): InsuranceDay {
    const copy = new InsuranceDay();
    copy.day = this.day;
    copy.accounts = new Map(this.accounts);
    copy.markets = new Map(this.markets);
    return copy;
  }
}

/**
 * The most that the fund may pay for an account now (LIQ-4): its balance, bounded by the rest of four caps of the
 * market,
 *
 *     account and owner    amount a UTC day, over all markets
 *     market               share of what the fund would hold had it paid nothing today, rounded down, a UTC day
 *     block                amount a block, over all accounts and markets
 *
 * A cap of 0 means that nothing is paid. A deficit without a market is bounded by the fund alone: its account was flat
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
