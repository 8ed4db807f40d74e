import type { PositionView } from "../../../client/strategy/context.ts";
import { fromE8 } from "../../../client/strategy/units.ts";
import type { Lots, PriceE8 } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { findLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";

/** The values that decide the liquidation price of a position; see `findLiquidationPrice`. */
export interface PositionTerms {
  readonly rules: MarketParameters;
  readonly lots: Lots;
  readonly rest: number | bigint;
  readonly mark: PriceE8;
}

/** Finds the price, of the position as it was, only when it is read: most readers do not need it. */
const LIQUIDATION_PRICE: PropertyDescriptor & ThisType<VenuePosition> = {
  enumerable: true,
  get(): number | undefined {
    const { rules, lots, rest, mark } = VenuePosition.termsOf(this);
    const price = findLiquidationPrice(rules, lots, rest, mark);
    return price === undefined ? undefined : fromE8(price);
  },
};

/**
 * A position as it was when the strategy asked for it. All of its members are its own, so that a copy has them too.
 * They share one getter: with one each, every position would have a shape of its own, which costs more than all the
 * rest.
 */
export class VenuePosition implements PositionView {
  readonly size: number;
  readonly entry: number;
  readonly unrealized: number;
  declare readonly liquidationPrice: number | undefined;
  readonly isolatedMargin: number | undefined;
  readonly #terms: PositionTerms;

  constructor(
    size: number,
    entry: number,
    unrealized: number,
    isolatedMargin: number | undefined,
    terms: PositionTerms,
  ) {
    this.size = size;
    this.entry = entry;
    this.unrealized = unrealized;
    this.isolatedMargin = isolatedMargin;
    this.#terms = terms;
    Object.defineProperty(this, "liquidationPrice", LIQUIDATION_PRICE);
  }

  static termsOf(position: VenuePosition): PositionTerms {
    return position.#terms;
  }
}
