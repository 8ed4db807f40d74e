import type {
  AdjustmentInput,
  FillInput,
  FundingInput,
  LiquidationInput,
  MarketTotals,
  RecordedTotals,
} from "../input.ts";
import { ExactSum } from "./exactSum.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Exact sums over every event of a run. */
export class EventTotals {
  readonly #sums: Mutable<Omit<RecordedTotals, "perMarket" | "insuranceMovements">> = {
    fills: 0,
    makerFills: 0,
    makerValue: 0n,
    takerValue: 0n,
    makerFees: 0n,
    takerFees: 0n,
    liquidationFees: 0n,
    liquidationValue: 0n,
    liquidations: 0,
    deficit: 0n,
    fundingPayments: 0,
    fundingPaid: 0n,
    fundingReceived: 0n,
    deficitCovered: 0n,
    lossSocialized: 0n,
    transfers: 0n,
  };
  readonly #perMarket: Mutable<Omit<MarketTotals, "unrealizedPnl">>[];
  // Funding is paid many times a day, and mostly in blocks that have nothing else.
  readonly #paid = new ExactSum();
  readonly #received = new ExactSum();
  /** By market. */
  readonly #funding: readonly ExactSum[];

  constructor(markets: number) {
    this.#perMarket = Array.from({ length: markets }, () => ({
      realizedPnl: 0n,
      funding: 0n,
      fees: 0n,
      liquidationFees: 0n,
      value: 0n,
    }));
    this.#funding = Array.from({ length: markets }, () => new ExactSum());
  }

  addFill(fill: FillInput): void {
    const sums = this.#sums;
    const market = this.#perMarket[fill.market]!;
    const value = BigInt(fill.value);
    const fee = BigInt(fill.fee);
    const liquidationFee = BigInt(fill.liquidationFee);
    sums.fills++;
    if (fill.role === "maker") {
      sums.makerFills++;
      sums.makerValue += value;
      sums.makerFees += fee;
    } else {
      sums.takerValue += value;
      sums.takerFees += fee;
    }
    sums.liquidationFees += liquidationFee;
    if (fill.liquidationId !== null) sums.liquidationValue += value;
    market.realizedPnl += BigInt(fill.realizedPnl);
    market.fees += fee;
    market.liquidationFees += liquidationFee;
    market.value += value;
  }

  addFunding({ market, amount }: FundingInput): void {
    this.#sums.fundingPayments++;
    if (amount < 0) this.#paid.add(0 - amount);
    else this.#received.add(amount);
    this.#funding[market]!.add(amount);
  }

  addAdjustment({ kind, amount }: AdjustmentInput): void {
    const value = BigInt(amount);
    if (kind === "deficitCovered") this.#sums.deficitCovered += value;
    else if (kind === "lossSocialized") this.#sums.lossSocialized += value;
    else this.#sums.transfers += value;
  }

  addLiquidation({ deficit }: LiquidationInput): void {
    this.#sums.liquidations++;
    this.#sums.deficit += BigInt(deficit);
  }

  /** @param unrealizedPnl of each market at the end */
  finish(unrealizedPnl: readonly number[], insuranceMovements: number): RecordedTotals {
    const perMarket = this.#perMarket.map((sums, i) => ({
      ...sums,
      funding: this.#funding[i]!.value,
      unrealizedPnl: BigInt(unrealizedPnl[i]!),
    }));
    const [fundingPaid, fundingReceived] = [this.#paid.value, this.#received.value];
    return { ...this.#sums, fundingPaid, fundingReceived, insuranceMovements, perMarket };
  }
}
