import type { Bar, Cancellation, Fill, Funding, IntentChange, Liquidation, Rejection, Trade } from "./facts.ts";

/** An effect on the strategy's account. */
export type Report =
  | { readonly kind: "fill"; readonly fill: Fill }
  | { readonly kind: "cancellation"; readonly cancellation: Cancellation }
  | { readonly kind: "funding"; readonly funding: Funding }
  | { readonly kind: "intent"; readonly intent: IntentChange }
  | { readonly kind: "liquidation"; readonly liquidation: Liquidation };

/** A rejection with the market that its transaction names; empty if it names none. */
export interface OwnRejection extends Rejection {
  readonly market: string;
}

/** The effects of a block on the strategy's account. */
export interface BlockFacts {
  /** Funding first, then the others in the order of the block's events. */
  readonly reports: readonly Report[];
  readonly rejections: readonly OwnRejection[];
}

/**
 * Takes trades and bars of the markets, in their order. What a strategy has no hook for need not be made. Methods
 * instead of functions of each session: compiled code stays valid for the next run of a thread.
 */
export interface DataHooks {
  readonly takesTrades: boolean;
  readonly takesBars: boolean;
  takeTrade(trade: Trade): void;
  takeBar(bar: Bar): void;
}

/** Trades and bars of the markets up to the block. */
export interface BlockData {
  show(hooks: DataHooks): void;
}

/** The market that a transaction names; empty if it names none. */
export function marketOf(payload: object): string {
  return (payload as { readonly market?: string }).market ?? "";
}
