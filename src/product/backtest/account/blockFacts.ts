import type { Cancellation, Fill, Funding, Liquidation } from "../../../client/strategy/facts.ts";
import type { OwnRejection } from "./ownOrders.ts";

export interface OwnFill {
  readonly kind: "fill";
  readonly fill: Fill;
}

export type Report =
  | OwnFill
  | { readonly kind: "cancellation"; readonly cancellation: Cancellation }
  | { readonly kind: "funding"; readonly funding: Funding }
  | { readonly kind: "liquidation"; readonly liquidation: Liquidation };

/** What a block did to the strategy's account. */
export interface BlockFacts {
  /** In the order of the block's events. */
  readonly reports: Report[];
  rejections: readonly OwnRejection[];
}
