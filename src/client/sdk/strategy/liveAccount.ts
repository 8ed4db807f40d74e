import { scanDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import type { OrderView, PositionView } from "../../strategy/context.ts";
import type { MarketList } from "../../strategy/marketList.ts";
import { type AccountHealth, FLAT, type InFlight, StrategyAccount } from "../../strategy/strategyAccount.ts";
import type { LiveMarket } from "./liveMarket.ts";
import type { VenueView } from "./venueView.ts";

/** The strategy's account as of the last view: its cross margin account and its positions. */
export class LiveAccount extends StrategyAccount<LiveMarket> {
  readonly #view: () => VenueView;

  constructor(view: () => VenueView, markets: MarketList<LiveMarket>, sender: InFlight) {
    super(markets, sender);
    this.#view = view;
  }

  protected get health(): AccountHealth {
    const { cross } = this.#view();
    return { equity: amountOf(cross?.equity ?? "0"), maintenance: amountOf(cross?.maintenanceMargin ?? "0") };
  }

  get collateral(): number {
    return Number(this.#view().cross?.collateral ?? 0);
  }

  get free(): number {
    return Number(this.#view().cross?.freeCollateral ?? 0);
  }

  position(name?: string): PositionView {
    const position = this.#view().positions.get(this.markets.find(name).name);
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
    const only = name === undefined ? undefined : this.markets.find(name).name;
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

/** In whole quote units, so that what is computed from it equals a backtest's to the last digit. */
function amountOf(text: string): number {
  const exact = scanDecimal(text, DECIMALS.amount);
  return typeof exact === "number" ? exact : Number(text) * 1e6;
}
