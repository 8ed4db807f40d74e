import type { MarketParameters } from "./parameters.ts";
import { MARKET_STATUS, MARKET_STATUSES } from "./words.ts";

export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** Which orders may enter, or be amended other than to a smaller size at their place. */
export const PLACING = { none: 0, postOnly: 1, reduceOnly: 2, all: 3 } as const;

/** What a market does in a status (MKT). Cancelling, and making an order smaller at its place, is always possible. */
export interface StatusRules {
  /** Orders that may enter: none, those that only make, those that only reduce, all. */
  readonly placing: keyof typeof PLACING;
  /** Index and mark follow the oracle. */
  readonly prices: boolean;
  /** Premiums are sampled and funding is paid. */
  readonly fund: boolean;
  /** Positions in the market are closed by liquidations. */
  readonly liquidate: boolean;
  /** Conditional intents fire. */
  readonly trigger: boolean;
  /** Statuses that `updateMarket` may go to from here. `settled` is reached by `settleMarket` alone. */
  readonly next: readonly MarketStatus[];
  readonly doc: string;
}

const CLOSING = ["active", "settling"] as const;

/** The lifecycle of a market, as one table (MKT). */
export const LIFECYCLE: Readonly<Record<MarketStatus, StatusRules>> = {
  initializing: {
    placing: "none",
    prices: true,
    fund: false,
    liquidate: false,
    trigger: false,
    next: ["postOnly"],
    doc: "Prices come in; no order trades yet.",
  },
  postOnly: {
    placing: "postOnly",
    prices: true,
    fund: true,
    liquidate: true,
    trigger: false,
    next: ["active"],
    doc: "Post-only orders fill the book; no order takes.",
  },
  active: {
    placing: "all",
    prices: true,
    fund: true,
    liquidate: true,
    trigger: true,
    next: ["cancelOnly", "reduceOnly", "halted", "settling"],
    doc: "All operations are allowed.",
  },
  cancelOnly: {
    placing: "none",
    prices: true,
    fund: true,
    liquidate: true,
    trigger: false,
    next: CLOSING,
    doc: "Orders may only leave.",
  },
  reduceOnly: {
    placing: "reduceOnly",
    prices: true,
    fund: true,
    liquidate: true,
    trigger: true,
    next: CLOSING,
    doc: "Positions may only become smaller.",
  },
  halted: {
    placing: "none",
    prices: true,
    fund: false,
    liquidate: false,
    trigger: false,
    next: CLOSING,
    doc: "Nothing happens; orders may be cancelled.",
  },
  settling: {
    placing: "none",
    prices: false,
    fund: false,
    liquidate: false,
    trigger: false,
    next: [],
    doc: "The market waits for its settlement price; prices are frozen.",
  },
  settled: {
    placing: "none",
    prices: false,
    fund: false,
    liquidate: false,
    trigger: false,
    next: [],
    doc: "Everything was closed at the settlement price; the market is over.",
  },
};

/** The table by the number that parameters carry. */
const RULES: readonly StatusRules[] = MARKET_STATUSES.map((status) => LIFECYCLE[status]);

/** Statuses that a new market may have. */
export const OPENING_STATUSES: readonly MarketStatus[] = ["initializing", "postOnly", "active"];

/** Which orders may enter, as a number of `PLACING`. */
export function placingOf({ status }: MarketParameters): number {
  return status === MARKET_STATUS.active ? PLACING.all : PLACING[RULES[status]!.placing];
}

/** Whether index and mark move. */
export function movesPrices({ status }: MarketParameters): boolean {
  return RULES[status]!.prices;
}

/** Whether funding is sampled and paid: by status, and not paused. */
export function allowsFunding({ status, pauseFund }: MarketParameters): boolean {
  return RULES[status]!.fund && pauseFund === 0;
}

/** Whether liquidations close positions of the market: by status, and not paused. */
export function allowsLiquidation({ status, pauseLiquidate }: MarketParameters): boolean {
  return RULES[status]!.liquidate && pauseLiquidate === 0;
}

/** Whether conditional intents fire: by status, and trading not paused. */
export function allowsTriggers({ status, pauseTrade }: MarketParameters): boolean {
  return RULES[status]!.trigger && pauseTrade === 0;
}

/** Whether the status lets conditional intents fire; trading may be paused nevertheless. */
export function isTriggering({ status }: MarketParameters): boolean {
  return RULES[status]!.trigger;
}

/** Whether `updateMarket` may take a market from one status to another; staying is no step. */
export function isReachable(from: number, to: number): boolean {
  return from === to || RULES[from]!.next.includes(MARKET_STATUSES[to]!);
}

/** Whether a new market may start in a status. */
export function isOpening(status: number): boolean {
  return OPENING_STATUSES.includes(MARKET_STATUSES[status]!);
}
