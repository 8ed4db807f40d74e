import { copyMap } from "../../../ground/collections/copies.ts";
import type { Amount, TimeMs } from "../../../ground/math/fixed.ts";
import type { AccountRow } from "./schema.ts";

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

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: InsuranceDay): InsuranceDay {
    const copy = spare ?? new InsuranceDay();
    copy.day = this.day;
    copyMap(this.accounts, copy.accounts);
    copyMap(this.markets, copy.markets);
    copy.height = -1;
    copy.ofBlock = 0n;
    return copy;
  }
}
