import type { AccountView, IntentView, OrderView, PositionView } from "./context.ts";
import type { TransactionId } from "./facts.ts";
import type { MarketList } from "./marketList.ts";
import { fromAmount } from "./units.ts";

/** The position of an account that holds none. */
export const FLAT: PositionView = {
  size: 0,
  entry: undefined,
  unrealized: 0,
  liquidationPrice: undefined,
  isolatedMargin: undefined,
};

/** Equity and maintenance margin of a margin account, 1e-6 USD. */
export interface AccountHealth {
  readonly equity: number;
  readonly maintenance: number;
}

/** 0 without a position; Infinity where equity is not positive. */
function ratioOf({ equity, maintenance }: AccountHealth): number {
  if (maintenance === 0) return 0;
  return equity <= 0 ? Number.POSITIVE_INFINITY : maintenance / equity;
}

/** Transactions that were sent and are in no block yet. */
export interface InFlight {
  readonly inFlight: number;
}

/** A strategy's account as it sees it. The port supplies the numbers. */
export abstract class StrategyAccount<Market extends { readonly name: string }> implements AccountView {
  protected readonly markets: MarketList<Market>;
  readonly #sender: InFlight;

  constructor(markets: MarketList<Market>, sender: InFlight) {
    this.markets = markets;
    this.#sender = sender;
  }

  abstract readonly collateral: number;
  abstract readonly free: number;
  /** The cross margin account first, then those of isolated positions. */
  protected abstract readonly marginAccounts: readonly AccountHealth[];

  abstract position(market?: string): PositionView;
  abstract orders(market?: string): OrderView[];
  abstract intents(market?: string): IntentView[];
  /** Number of the resting order that an intent, or the entry of a bracket, placed; 0 where none rests. */
  abstract findOrderOfIntent(id: TransactionId): number;

  get equity(): number {
    return fromAmount(this.marginAccounts.reduce((sum, { equity }) => sum + equity, 0));
  }

  /** Maintenance margin, USD. */
  get maintenance(): number {
    return fromAmount(this.marginAccounts.reduce((sum, { maintenance }) => sum + maintenance, 0));
  }

  get marginRatio(): number {
    return ratioOf(this.riskiest);
  }

  /** The margin account with the highest maintenance margin over equity; the first of equal ones. */
  get riskiest(): AccountHealth {
    const [cross, ...isolated] = this.marginAccounts;
    return isolated.reduce((most, one) => (ratioOf(one) > ratioOf(most) ? one : most), cross!);
  }

  get liquidationPrice(): number | undefined {
    return this.position().liquidationPrice;
  }

  get inFlight(): number {
    return this.#sender.inFlight;
  }
}
