import { parseDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import type { AccountView, OrderView, PositionView } from "../../strategy/context.ts";
import type { VenueView } from "./venueView.ts";

const FLAT: PositionView = { size: 0, entry: undefined, unrealized: 0, liquidationPrice: undefined };

/** The strategy's account as of the last view: its cross margin account and its positions. */
export class LiveAccount implements AccountView {
  readonly #view: () => VenueView;
  readonly #nameOf: (market: string | undefined) => string;
  readonly #countInFlight: () => number;

  /**
   * @param nameOf        resolves a market's name; the first market if undefined
   * @param countInFlight transactions sent and not yet in a block
   */
  constructor(view: () => VenueView, nameOf: (market: string | undefined) => string, countInFlight: () => number) {
    this.#view = view;
    this.#nameOf = nameOf;
    this.#countInFlight = countInFlight;
  }

  get equity(): number {
    return Number(this.#view().cross?.equity ?? 0);
  }

  get collateral(): number {
    return Number(this.#view().cross?.collateral ?? 0);
  }

  get free(): number {
    return Number(this.#view().cross?.freeCollateral ?? 0);
  }

  get marginRatio(): number {
    const { cross } = this.#view();
    if (cross === undefined || cross.maintenanceMargin === "0") return 0;
    // In whole units, so that the quotient equals a backtest's to the last digit.
    const equity = parseDecimal(cross.equity, DECIMALS.amount);
    return equity <= 0 ? Number.POSITIVE_INFINITY : parseDecimal(cross.maintenanceMargin, DECIMALS.amount) / equity;
  }

  get liquidationPrice(): number | undefined {
    return this.position().liquidationPrice;
  }

  get inFlight(): number {
    return this.#countInFlight();
  }

  position(name?: string): PositionView {
    const position = this.#view().positions.get(this.#nameOf(name));
    if (position === undefined) return FLAT;
    const size = Number(position.size);
    return {
      size,
      entry: Number(position.cost) / size,
      unrealized: Number(position.unrealizedPnl),
      liquidationPrice: position.liquidationPrice === null ? undefined : Number(position.liquidationPrice),
    };
  }

  orders(name?: string): OrderView[] {
    const only = name === undefined ? undefined : this.#nameOf(name);
    return this.#view()
      .orders.filter(({ market }) => only === undefined || market === only)
      .map(({ clientOrderId, market, side, price, remaining, filled, reduceOnly }) => ({
        id: clientOrderId ?? "",
        market,
        side,
        price: Number(price),
        remaining: Number(remaining),
        filled: Number(filled),
        reduceOnly,
      }));
  }
}
