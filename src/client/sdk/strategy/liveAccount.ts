import { scanDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import { TRIGGER_KINDS } from "../../../protocol/words.ts";
import type { Order } from "../../api/schemas/orders.ts";
import type { IntentView, OrderView, PositionView } from "../../strategy/context.ts";
import type { TransactionId } from "../../strategy/facts.ts";
import type { MarketList } from "../../strategy/marketList.ts";
import { type AccountHealth, FLAT, type InFlight, StrategyAccount } from "../../strategy/strategyAccount.ts";
import { fromAmount } from "../../strategy/units.ts";
import type { LiveMarket } from "./liveMarket.ts";
import type { VenueView } from "./venueView.ts";

/** The strategy's account as of the last view: its margin accounts and its positions. */
export class LiveAccount extends StrategyAccount<LiveMarket> {
  readonly #view: () => VenueView;

  readonly #nameOf: (orderId: string) => TransactionId | undefined;

  /** @param nameOf transaction of an order that has no client order id: one of an intent, or the entry of a bracket */
  constructor(
    view: () => VenueView,
    markets: MarketList<LiveMarket>,
    sender: InFlight,
    nameOf: (orderId: string) => TransactionId | undefined,
  ) {
    super(markets, sender);
    this.#view = view;
    this.#nameOf = nameOf;
  }

  protected get marginAccounts(): readonly AccountHealth[] {
    const { marginAccounts } = this.#view();
    if (marginAccounts.length === 0) return [{ equity: 0, maintenance: 0 }];
    return marginAccounts.map(({ equity, maintenanceMargin }) => ({
      equity: amountOf(equity),
      maintenance: amountOf(maintenanceMargin),
    }));
  }

  get collateral(): number {
    return fromAmount(this.#view().marginAccounts.reduce((sum, { collateral }) => sum + amountOf(collateral), 0));
  }

  get free(): number {
    const cross = this.#view().marginAccounts.find(({ marginAccount }) => marginAccount === "cross");
    return Number(cross?.freeCollateral ?? 0);
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
      isolatedMargin: position.isolatedMargin === null ? undefined : Number(position.isolatedMargin),
    };
  }

  orders(name?: string): OrderView[] {
    const only = name === undefined ? undefined : this.markets.find(name).name;
    return this.#view()
      .orders.filter(({ market }) => only === undefined || market === only)
      .map((order) => ({
        id: this.#idOf(order),
        market: order.market,
        side: order.side,
        price: Number(order.price),
        remaining: Number(order.remaining),
        filled: Number(order.filled),
        reduceOnly: order.reduceOnly,
      }));
  }

  intents(name?: string): IntentView[] {
    const only = name === undefined ? undefined : this.markets.find(name).name;
    return this.#view().intents.flatMap((intent) => {
      const kind = TRIGGER_KINDS.find((one) => one === intent.kind);
      if (kind === undefined || (only !== undefined && intent.market !== only)) return [];
      return {
        id: intent.clientIntentId ?? "",
        market: intent.market,
        kind,
        status: intent.status as IntentView["status"],
        side: intent.side,
        size: intent.size === null ? undefined : Number(intent.size),
        trigger: Number(intent.trigger ?? 0),
        source: intent.source,
        reduceOnly: intent.reduceOnly,
      };
    });
  }

  findOrderOfIntent(id: TransactionId): number {
    const order = this.#view().orders.find((one) => one.clientOrderId === null && this.#idOf(one) === id);
    return order === undefined ? 0 : Number(order.orderId);
  }

  #idOf({ clientOrderId, orderId }: Order): TransactionId {
    if (clientOrderId !== null) return clientOrderId;
    const own = this.#nameOf(orderId);
    if (own !== undefined) return own;
    // The order may be from before the client started.
    const { intents } = this.#view();
    const of = intents.find(({ intentId, entryOrderId }) => intentId === orderId || entryOrderId === orderId);
    return of?.clientIntentId ?? "";
  }
}

/** In whole quote units, so that what is computed from it equals a backtest's to the last digit. */
function amountOf(text: string): number {
  const exact = scanDecimal(text, DECIMALS.amount);
  return typeof exact === "number" ? exact : Number(text) * 1e6;
}
