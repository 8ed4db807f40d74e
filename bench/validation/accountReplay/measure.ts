import { readScaled } from "../decimals.ts";
import { findRecorded, readRows } from "../recorded.ts";
import { computeValue, PositionChains } from "../vaultFills/chain.ts";
import { findSizeDecimals } from "../vaultFills/measure.ts";
import { type FeeFigures, isFeeOfSchedule } from "./fees.ts";

export const FOLDER = "hyperliquid_account_replay";
const FILL_COLUMNS = [
  "time_ms",
  "coin",
  "side",
  "px",
  "sz",
  "startPosition",
  "dir",
  "closedPnl",
  "fee",
  "crossed",
] as const;
const FUNDING_COLUMNS = ["time_ms", "coin", "usdc", "szi", "fundingRate"] as const;
const LEDGER_COLUMNS = ["time_ms", "type", "usdc", "amount"] as const;
const QUOTE_DECIMALS = 6;

/** Everything that happened to the account, in the order of the recording within each kind. */
export interface AccountRecord {
  readonly fills: readonly Readonly<Record<(typeof FILL_COLUMNS)[number], string>>[];
  readonly funding: readonly Readonly<Record<(typeof FUNDING_COLUMNS)[number], string>>[];
  readonly ledger: readonly Readonly<Record<(typeof LEDGER_COLUMNS)[number], string>>[];
}

/** A transfer of the whole balance, which the account made without an open position. */
export interface BalanceCheck {
  readonly timeMs: number;
  /** USDC, as the venue recorded it: to the cent. */
  readonly recorded: string;
  /** Balance here, quote units. */
  readonly balance: number;
  /** Balance with the realized PnL that the venue reports for each close, quote units. */
  readonly balanceByReports: number;
  readonly openPositions: number;
  /** Whether the balance here, cut to the cent, is the recorded amount. */
  readonly isEqual: boolean;
}

export interface AccountReplay {
  readonly fills: number;
  readonly coins: number;
  /** Fills whose recorded size before them is the size here. */
  readonly chained: number;
  readonly closes: number;
  readonly equalCloses: number;
  readonly fees: FeeFigures;
  readonly fundingPayments: number;
  /** Payments whose recorded size is the position here. */
  readonly fundingOfHeldSize: number;
  /** Payments that go from longs to shorts where the rate is positive, and the other way where it is negative. */
  readonly fundingOfRightSign: number;
  /** Hours at which a position was open, and no payment is recorded. */
  readonly hoursWithoutFunding: number;
  /** Quote units. */
  readonly sums: {
    readonly deposits: number;
    readonly realized: number;
    readonly fees: number;
    readonly funding: number;
  };
  readonly balance: number;
  readonly openPositions: number;
  readonly checks: readonly BalanceCheck[];
}

/** The recorded account; undefined where it is absent. */
export function readAccount(): AccountRecord | undefined {
  const folder = findRecorded(FOLDER);
  if (folder === undefined) return undefined;
  return {
    fills: [...readRows(folder, "fills_*.csv.gz", FILL_COLUMNS)],
    funding: [...readRows(folder, "funding_*.csv.gz", FUNDING_COLUMNS)],
    ledger: [...readRows(folder, "ledger_*.csv.gz", LEDGER_COLUMNS)],
  };
}

const HOUR_MS = 3_600_000;

/** Replays fills, funding payments and transfers in the order of their times, positions by the engine's arithmetic. */
export function measureAccount(record: AccountRecord): AccountReplay {
  return new AccountRun(record).run();
}

class AccountRun {
  private readonly record: AccountRecord;
  private readonly chains: PositionChains;
  private readonly lotDecimals: ReadonlyMap<string, number>;
  /** Signed lots by coin. */
  private readonly sizes = new Map<string, number>();
  private readonly paidHours: ReadonlySet<string>;
  private readonly checks: BalanceCheck[] = [];
  private readonly counts = {
    chained: 0,
    closes: 0,
    equalCloses: 0,
    fundingOfHeldSize: 0,
    fundingOfRightSign: 0,
    hoursWithoutFunding: 0,
  };
  private readonly fees = { fills: 0, equal: 0, finerRates: 0 };
  private readonly sums = { deposits: 0, realized: 0, fees: 0, funding: 0 };
  private reported = 0;

  constructor(record: AccountRecord) {
    this.record = record;
    this.lotDecimals = findSizeDecimals(record.fills);
    this.chains = new PositionChains(this.lotDecimals);
    this.paidHours = new Set(record.funding.map(({ coin, time_ms }) => `${coin} ${hourOf(Number(time_ms))}`));
  }

  run(): AccountReplay {
    const { fills, funding, ledger } = this.record;
    // A funding payment is settled before the fills of its millisecond.
    const steps = [
      ...funding.map((row) => ({ timeMs: Number(row.time_ms), apply: () => this.applyFunding(row) })),
      ...fills.map((row) => ({ timeMs: Number(row.time_ms), apply: () => this.applyFill(row) })),
      ...ledger.map((row) => ({ timeMs: Number(row.time_ms), apply: () => this.applyTransfer(row) })),
    ].sort((a, b) => a.timeMs - b.timeMs);
    let hour = hourOf(steps[0]?.timeMs ?? 0);
    for (const { timeMs, apply } of steps) {
      for (; hour < hourOf(timeMs); hour++) this.checkHour(hour + 1);
      apply();
    }
    return {
      fills: fills.length,
      coins: this.lotDecimals.size,
      fundingPayments: funding.length,
      ...this.counts,
      fees: this.fees,
      sums: this.sums,
      balance: this.balanceOf(this.sums.realized),
      openPositions: this.countOpen(),
      checks: this.checks,
    };
  }

  private applyFill(row: AccountRecord["fills"][number]): void {
    const { coin, side, px, sz, startPosition, dir, closedPnl, fee } = row;
    const fill = { coin, side, px, sz, dir, start_position: startPosition, closed_pnl: closedPnl, vault: "" };
    const { continuation, close } = this.chains.add(fill);
    this.checkFee(row);
    const start = readScaled(startPosition, this.lotDecimals.get(coin)!);
    if (continuation === "follows" || (continuation === "first" && start === 0)) this.counts.chained++;
    if (close !== undefined) {
      this.counts.closes++;
      if (close.class === "exact" || close.class === "entryCut") this.counts.equalCloses++;
      this.sums.realized += close.realized;
    }
    this.reported += readScaled(closedPnl, QUOTE_DECIMALS);
    this.sums.fees += readScaled(fee, QUOTE_DECIMALS);
    const lots = readScaled(sz, this.lotDecimals.get(coin)!);
    this.sizes.set(coin, start + (side === "B" ? lots : -lots));
  }

  private checkFee({ coin, px, sz, fee, crossed }: AccountRecord["fills"][number]): void {
    if (coin.includes(":")) {
      this.fees.finerRates++;
      return;
    }
    this.fees.fills++;
    const decimals = this.lotDecimals.get(coin)!;
    const value = computeValue(readScaled(sz, decimals), px, decimals);
    const role = crossed === "True" ? "taker" : "maker";
    if (isFeeOfSchedule(value, readScaled(fee, QUOTE_DECIMALS), role)) this.fees.equal++;
  }

  private applyFunding({ coin, usdc, szi, fundingRate }: AccountRecord["funding"][number]): void {
    const decimals = this.lotDecimals.get(coin);
    const size = decimals === undefined ? 0 : readScaled(szi, decimals);
    if (size !== 0 && size === this.sizes.get(coin)) this.counts.fundingOfHeldSize++;
    const payment = readScaled(usdc, QUOTE_DECIMALS);
    if (payment === 0 || payment > 0 === (size > 0 === Number(fundingRate) < 0)) this.counts.fundingOfRightSign++;
    this.sums.funding += payment;
  }

  private applyTransfer({ time_ms, type, usdc, amount }: AccountRecord["ledger"][number]): void {
    if (type === "deposit") {
      this.sums.deposits += readScaled(usdc, QUOTE_DECIMALS);
      return;
    }
    if (type !== "send") throw new Error(`${FOLDER}: no rule for a transfer of type ${type}`);
    // Sent from one of the account's balances to another: the sum of both stays.
    const balance = this.balanceOf(this.sums.realized);
    this.checks.push({
      timeMs: Number(time_ms),
      recorded: amount,
      balance,
      balanceByReports: this.balanceOf(this.reported),
      openPositions: this.countOpen(),
      isEqual: Math.floor(balance / 10_000) === readScaled(amount, 2),
    });
  }

  private checkHour(hour: number): void {
    for (const [coin, lots] of this.sizes) {
      if (lots !== 0 && !this.paidHours.has(`${coin} ${hour}`)) this.counts.hoursWithoutFunding++;
    }
  }

  private balanceOf(realized: number): number {
    return this.sums.deposits + realized - this.sums.fees + this.sums.funding;
  }

  private countOpen(): number {
    return [...this.sizes.values()].filter((lots) => lots !== 0).length;
  }
}

function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS);
}
