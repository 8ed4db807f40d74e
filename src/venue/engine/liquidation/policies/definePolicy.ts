import type { State } from "../../state/state.ts";
import type { MarginAccount, MarginAccountPosition } from "../liquidatedAccount.ts";

/**
 * How the positions of a market are liquidated: parameter `liquidationPolicy`. A policy only composes steps that all
 * share; whom it applies to, the bankruptcy price, the queue and what a deficit does are the venue's. The order of
 * auto-deleveraging goes with it (`rankers.ts`).
 */
export interface LiquidationPolicy {
  /** Closes one position of a liquidatable margin account as far as its step goes. */
  close(state: State, marginAccount: MarginAccount, part: MarginAccountPosition): void;
  /** A position that is cooling down is left alone until equity is below two thirds of maintenance. */
  readonly waits: boolean;
  /** The insurance fund pays the deficit of a flat margin account. */
  readonly insuresDeficit: boolean;
}
