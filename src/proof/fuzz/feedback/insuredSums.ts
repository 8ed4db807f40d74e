/** Payments of the insurance fund by contributor, as events report them (LIQ-4). */
import { PPM } from "../../../ground/math/fixed.ts";
import { getDay } from "../../../venue/engine/state/insuranceDay.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import type { ContributorName } from "./contributors.ts";

/** What a cap leaves of each dimension, quote units. */
interface Left {
  readonly account: bigint;
  readonly owner: bigint;
  readonly market: bigint;
  readonly block: bigint;
}

/** The sums before each payment. The venue's own sums are those after it. */
export class InsuredSums {
  #day = 0;
  #accounts = new Map<number, bigint>();
  #markets = new Map<number, bigint>();
  /** By account and market, since the start: the venue does not keep them. */
  #pairs = new Map<string, bigint>();
  #ofBlock = 0n;
  #fund = 0n;

  /** Takes over the venue's sums at the start of a block. */
  begin(state: State): void {
    const { day, accounts, markets } = state.insured;
    if (day !== this.#day) this.#pairs.clear();
    this.#day = day;
    this.#accounts = new Map(accounts);
    this.#markets = new Map(markets);
    this.#ofBlock = 0n;
    this.#fund = state.totals.get(TOTAL.insurance);
  }

  /** Income or a payment of the fund. */
  add(state: State, delta: number, market: number, account: number): ContributorName[] {
    const found = delta < 0 && market >= 0 ? this.#check(state, BigInt(-delta), market, account) : [];
    this.#fund += BigInt(delta);
    if (delta < 0 && account >= 0) this.#pay(state, BigInt(-delta), market, account);
    return found;
  }

  #pay(state: State, amount: bigint, market: number, account: number): void {
    const today = getDay(state.timeMs);
    if (today !== this.#day) {
      this.#day = today;
      this.#accounts.clear();
      this.#markets.clear();
      this.#pairs.clear();
    }
    const pair = `${account} ${market}`;
    this.#accounts.set(account, (this.#accounts.get(account) ?? 0n) + amount);
    this.#markets.set(market, (this.#markets.get(market) ?? 0n) + amount);
    this.#pairs.set(pair, (this.#pairs.get(pair) ?? 0n) + amount);
    this.#ofBlock += amount;
  }

  /** A payment that the caps allow only by their sums: of the day, or of what the fund held before today. */
  #check(state: State, amount: bigint, market: number, account: number): ContributorName[] {
    const found: ContributorName[] = [];
    const isToday = this.#day === getDay(state.timeMs);
    const { account: byAccount, owner, market: byMarket } = this.#getLeft(state, market, account, true);
    if (!isToday && (byAccount < amount || owner < amount || byMarket < amount)) found.push("fundOfDays");
    if (!isToday) return found;
    const share = (this.#fund * BigInt(state.parameters[market]!.insuranceCapMarket)) / BigInt(PPM);
    if (share - (this.#markets.get(market) ?? 0n) < amount) found.push("fundShareOfPayments");
    return found;
  }

  /**
   * Caps that leave less than an amount, and would leave it without a second contributor.
   *
   * @param need what the fund would pay next, quote units
   */
  findBinding(state: State, market: number, account: number, need: bigint): ContributorName[] {
    if (market < 0 || this.#fund < need) return [];
    const isToday = this.#day === getDay(state.timeMs);
    const left = this.#getLeft(state, market, account, isToday);
    const own = this.#pairs.get(`${account} ${market}`) ?? 0n;
    const rest = (one: bigint | undefined) => (isToday ? (one ?? 0n) - own : 0n);
    const names: readonly (readonly [ContributorName, keyof Left, bigint])[] = [
      ["fundAccountOfMarkets", "account", rest(this.#accounts.get(account))],
      ["fundOwnerOfSubaccounts", "owner", this.#ofOwner(state, account, isToday) - this.#of(account, isToday)],
      ["fundMarketOfAccounts", "market", rest(this.#markets.get(market))],
      ["fundBlockOfAccounts", "block", this.#ofBlock - own < 0n ? 0n : this.#ofBlock - own],
    ];
    const others = (but: keyof Left) =>
      (Object.keys(left) as (keyof Left)[]).every((name) => name === but || left[name] >= need);
    return names
      .filter(([, name, more]) => left[name] < need && more > 0n && left[name] + more >= need && others(name))
      .map(([name]) => name);
  }

  #getLeft(state: State, market: number, account: number, counts: boolean): Left {
    const rules = state.parameters[market as MarketRow]!;
    let ofAll = 0n;
    if (counts) for (const paid of this.#markets.values()) ofAll += paid;
    const share = ((this.#fund + ofAll) * BigInt(rules.insuranceCapMarket)) / BigInt(PPM);
    return {
      account: BigInt(rules.insuranceCapAccount) - this.#of(account, counts),
      owner: BigInt(rules.insuranceCapOwner) - this.#ofOwner(state, account, counts),
      market: share - (counts ? (this.#markets.get(market) ?? 0n) : 0n),
      block: BigInt(rules.insuranceCapBlock) - this.#ofBlock,
    };
  }

  #of(account: number, counts: boolean): bigint {
    return counts ? (this.#accounts.get(account) ?? 0n) : 0n;
  }

  #ofOwner({ accounts }: State, account: number, counts: boolean): bigint {
    if (!counts) return 0n;
    const owner = accounts.owner[account as AccountRow];
    let sum = 0n;
    for (const [other, paid] of this.#accounts) if (accounts.owner[other as AccountRow] === owner) sum += paid;
    return sum;
  }
}
