import type { Random } from "../../ground/math/random.ts";
import type { Side, TransactionId, TriggerKind } from "./facts.ts";
import type { SeriesView } from "./series.ts";
import type { Span } from "./spans.ts";

/** A price level of the book. */
export interface Level {
  readonly price: number;
  readonly size: number;
}

/** A market at the last block. Values are computed when they are read. */
export interface MarketView {
  readonly name: string;
  /** Step of prices, USD. */
  readonly tickSize: number;
  /** Step of sizes, units of base. */
  readonly lotSize: number;
  /** Smallest order that the market accepts at its mark, units of base, by smallest size and smallest value. */
  readonly smallestSize: number;
  /** Prices with which margin and funding are computed; undefined before the first. */
  readonly mark: number | undefined;
  readonly index: number | undefined;
  /** Last traded price; undefined before the first. */
  readonly last: number | undefined;
  /** Best prices of the book; undefined for an empty side. */
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  /** Rate of the last settlement; longs pay when positive. */
  readonly fundingRate: number;
  /** Time of the last settlement; undefined before the first. */
  readonly fundingTimeMs: number | undefined;
  /** Leverage that the account has chosen here; the market's greatest if it has chosen none. */
  readonly leverage: number;
  /** Margin mode that the account has chosen here; cross if it has chosen none. */
  readonly marginMode: MarginMode;
  /** Taker and maker fee as ratios of notional. */
  readonly takerFee: number;
  readonly makerFee: number;
  /** Levels of one side, best first. */
  depth(side: Side, levels?: number): readonly Level[];
  /** The price on the grid below (`down`), above (`up`) or nearest. */
  roundPrice(price: number, way?: "down" | "up" | "nearest"): number;
  /**
   * The greatest size on the grid that is not above, nor above the market's largest order; 0 where that is below
   * `smallestSize`.
   */
  roundSize(size: number): number;
}

/** A position of the account. */
export interface PositionView {
  /** Positive is long, 0 is flat. */
  readonly size: number;
  /** Average entry price; undefined when flat. */
  readonly entry: number | undefined;
  /** At the mark, USD. */
  readonly unrealized: number;
  /** Mark at which the account becomes liquidatable, other positions unchanged; undefined where there is none. */
  readonly liquidationPrice: number | undefined;
  /** Collateral of its own, USD; undefined for a cross position. */
  readonly isolatedMargin: number | undefined;
}

/** Whether a position is backed by the account's collateral or by collateral of its own. */
export type MarginMode = "cross" | "isolated";

/** A resting order of the account. */
export interface OrderView {
  readonly id: TransactionId;
  readonly market: string;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
  readonly filled: number;
  readonly reduceOnly: boolean;
}

/** The strategy's account as the last block left it. */
export interface AccountView {
  /** Collateral, unrealised PnL at the mark and unsettled funding, USD; with that of isolated positions. */
  readonly equity: number;
  /** With that of isolated positions. */
  readonly collateral: number;
  /** Collateral that could be withdrawn now; none of isolated positions. */
  readonly free: number;
  /**
   * Maintenance margin over equity: liquidatable above 1; 0 when flat; Infinity when equity is not positive. With
   * isolated positions, of the margin account where it is highest.
   */
  readonly marginRatio: number;
  /** Of the position in the first market; see `position(market)`. */
  readonly liquidationPrice: number | undefined;
  /** The position in a market; by default in the first. */
  position(market?: string): PositionView;
  /** Resting orders, oldest first; of all markets by default. */
  orders(market?: string): readonly OrderView[];
  /** Intents that wait, are armed, or whose order rests: stops, take-profits and trailing stops, oldest first. */
  intents(market?: string): readonly IntentView[];
  /** Transactions sent and not yet in a block. */
  readonly inFlight: number;
}

/** An intent of the account: an order that is placed when a price is reached. */
export interface IntentView {
  /** The transaction that placed it; the legs of a bracket have the same. */
  readonly id: TransactionId;
  readonly market: string;
  readonly kind: TriggerKind;
  /** `waiting` for fills of its entry order, `armed`, or `triggered` with its order on the book. */
  readonly status: "waiting" | "armed" | "triggered";
  /** Side of the order that it places. */
  readonly side: Side;
  /** Left to trade, units of base: 0 while it waits; undefined where it takes a share of the position. */
  readonly size: number | undefined;
  /** Price at which it fires; of a trailing stop its present one, and 0 while it waits. */
  readonly trigger: number;
  /** The price that is compared with the trigger. */
  readonly source: PriceSource;
  readonly reduceOnly: boolean;
}

/** Price that a trigger is compared with: the mark, the index or the last trade. */
export type PriceSource = "mark" | "index" | "last";

/** The order that an intent places when it fires. */
interface TriggeredOrder {
  /** Default: `mark`. */
  readonly source?: PriceSource;
  /** Limit price on the grid of ticks; without one the order is a market order. */
  readonly price?: number;
  /** Market orders: greatest distance from the mark as a ratio. Default: 0.05 where it reduces, else 0.01. */
  readonly slippage?: number;
  /** As of an `OrderRequest`. */
  readonly timeInForce?: "GTC" | "IOC" | "FOK";
  readonly postOnly?: boolean;
}

/** A price at which an order is placed, on any decimal of 1e-8 USD. */
export interface TriggerLeg extends TriggeredOrder {
  readonly trigger: number;
}

/** A distance at which a stop follows the best price: give one of the two. */
export type TrailLeg = TriggeredOrder &
  (
    | { /** USD. */ readonly trail: number; readonly trailRate?: never }
    | { /** Ratio of the best price, above 0 and below 1. */ readonly trailRate: number; readonly trail?: never }
  );

/** The trigger price or the trailing distance at which a position is closed at a loss. */
export type StopLeg = number | TriggerLeg | TrailLeg;

/** The trigger price at which a position is closed at a profit. */
export type TakeProfitLeg = number | TriggerLeg;

interface IntentOptions {
  /** Default: the side that closes the present position; it must be given where the account has none. */
  readonly side?: Side;
  /**
   * Units of base, on the grid of lots. Default: all of the position when it fires, or the largest order if that is
   * smaller; only where it is reduce-only.
   */
  readonly size?: number;
  /** Default: true, so that it only reduces the position and ends with it. `false` opens or turns one. */
  readonly reduceOnly?: boolean;
  /** Last block time at which it may fire, ms. Default: none. */
  readonly untilMs?: number;
  /** Default: the first market. */
  readonly market?: string;
}

/** A stop order or a take-profit. */
export type TriggerRequest = IntentOptions & TriggerLeg;

/** A trailing stop. */
export type TrailRequest = IntentOptions & TrailLeg;

/** A stop, a take-profit or both for the position that the account has. Of both, one cancels the other. */
export interface ProtectRequest extends Omit<IntentOptions, "reduceOnly"> {
  readonly stop?: StopLeg;
  readonly takeProfit?: TakeProfitLeg;
}

/** Which resting orders and intents to cancel. */
export interface CancelAllRequest {
  /** Intents, too. Default: false. */
  readonly intents?: boolean;
}

/** An order to enter. */
export interface OrderRequest {
  readonly side: Side;
  /** Units of base, on the grid of lots. Less than one lot is not sent: `onReject` gets `SIZE_TOO_SMALL`. */
  readonly size: number;
  /** Limit price on the grid of ticks; without one the order is a market order. */
  readonly price?: number;
  /**
   * Market orders: greatest distance from the mark as a ratio. Default: 0.01. Margin is checked as if it were paid. A
   * limit order with a slippage bound is refused.
   */
  readonly slippage?: number;
  /**
   * Default: GTC for a limit order, IOC for a market order, which never rests: for it, GTC means IOC. FOK fills whole
   * or not at all.
   */
  readonly timeInForce?: "GTC" | "IOC" | "FOK";
  /** Refused if it would take. */
  readonly postOnly?: boolean;
  /** Never increases or flips a position. */
  readonly reduceOnly?: boolean;
  /** Default: the first market. */
  readonly market?: string;
  /**
   * Closes the fills of this order, at a loss and at a profit. Each fill arms the legs with its size; a fill of one leg
   * takes its size off the other, and both end with the position. A reduce-only order has no legs.
   */
  readonly stop?: StopLeg;
  readonly takeProfit?: TakeProfitLeg;
}

/** Changes of a resting order. */
export interface Amendment {
  /** New remaining size. */
  readonly size?: number;
  readonly price?: number;
}

/** A position to close. */
export interface CloseRequest {
  /** Default: the first market. */
  readonly market?: string;
  /** Default: all of the position. */
  readonly size?: number;
  /** Greatest distance from the mark as a ratio. Default: 0.05. */
  readonly slippage?: number;
}

/** Options of moving a position to a target. */
export interface PositionRequest {
  /** Default: the first market. */
  readonly market?: string;
  /** Greatest distance from the mark as a ratio. Default: 0.01 where the position grows, 0.05 where it is reduced. */
  readonly slippage?: number;
}

/**
 * Everything that a strategy sees and can do. Actions are transactions: they return the transaction's id at once and
 * take effect when a block includes them, if the venue does not reject them. A fill is never a return value.
 */
export interface Context<Params = unknown, Memory = unknown> {
  readonly params: Params;
  /** What `init` returned. */
  readonly memory: Memory;
  /**
   * Height of the last block, and the time up to which the strategy has seen the data. A backtest makes a block where
   * something can happen, so heights do not count time.
   */
  readonly now: { readonly height: number; readonly timeMs: number };
  /** The strategy is shown bars from before the start; what it sends is rejected with `WARM_UP`. */
  readonly isWarmUp: boolean;
  /** The first market of the data. */
  readonly market: MarketView;
  readonly markets: readonly MarketView[];
  readonly account: AccountView;
  /** Seeded: the same run draws the same numbers. */
  readonly rng: Random;

  /**
   * A recorded series of a market, such as the open interest of Binance metrics, as far as it is known at `now`. Each
   * value has its own time and the later one at which it was known; it stays until the next is known. In a backtest
   * alone: a service has no recorded series.
   *
   * @param name   as `perplab tape info` lists it
   * @param market default: the first
   */
  series(name: string, market?: string): SeriesView;

  place(order: OrderRequest): TransactionId;
  /** @param id of the transaction that entered the order */
  amend(id: TransactionId, change: Amendment): TransactionId;
  /** @param id of the transaction that entered the order */
  cancel(id: TransactionId): TransactionId;
  /** Cancels every resting order; of all markets by default. */
  cancelAll(market?: string, request?: CancelAllRequest): TransactionId;
  /** Places an order when the price reaches a trigger on the losing side: a buy above the price, a sell below it. */
  stop(request: TriggerRequest): TransactionId;
  /** Places an order when the price reaches a trigger on the winning side: a buy below the price, a sell above it. */
  takeProfit(request: TriggerRequest): TransactionId;
  /** A stop whose trigger follows the best price at a distance. */
  trailingStop(request: TrailRequest): TransactionId;
  /** Protects the present position with a stop, a take-profit or both. */
  protect(request: ProtectRequest): TransactionId;
  /**
   * Cancels an intent, with its order if that rests; of a bracket both legs, and not the entry order.
   *
   * @param id of the transaction that placed it
   */
  cancelIntent(id: TransactionId): TransactionId;
  /** Reduces a position with a reduce-only market order. */
  close(request?: CloseRequest): TransactionId;
  /**
   * Moves a position to a target with market orders, once: an unfilled rest is not tried again.
   *
   * Sent after the hooks of the block, or once no order of the strategy for the market is in flight. A later target of
   * the same market replaces one that was not sent. Resting orders of the strategy in the market that are not
   * reduce-only are cancelled first. A cut is reduce-only. A change of sides closes, then opens; below the initial
   * margin it is one order (MRG-4). A change beyond the largest order is split. An increase of a position by less than
   * `smallestSize` sends nothing; from flat it is the rejection of an order that is too small.
   *
   * @param size signed units of base, positive is long, 0 is flat; rounded toward zero to a lot
   */
  setPosition(size: number, request?: PositionRequest): void;
  /** @param leverage whole multiple, from 1 to the greatest of the market */
  setLeverage(leverage: number, market?: string): TransactionId;
  /**
   * Backs the position in a market by the account's collateral (cross) or by collateral of its own. The account must
   * have no orders there.
   */
  setMarginMode(mode: MarginMode, market?: string): TransactionId;
  /** Moves collateral to an isolated position. @param amount USD, at most 6 decimals */
  addMargin(amount: number, market?: string): TransactionId;
  /** Moves collateral of an isolated position back to the account. @param amount USD, at most 6 decimals */
  removeMargin(amount: number, market?: string): TransactionId;

  /**
   * Calls `onTimer` at every whole multiple of a span in UTC: `every("1h")` on the hour, `every("1w")` on Mondays. At
   * least 1 s apart. In a backtest the time has a block; live, the first block at or after it counts.
   *
   * @param name default: the span; a timer of the same name is replaced
   */
  every(span: Span, name?: string): void;
  /** Calls `onTimer` once, a span after the present block. */
  after(span: Span, name: string): void;
  /** Calls `onTimer` once, at a time in ms that is after the present block. */
  at(timeMs: number, name: string): void;
  /** Ends a timer; false if there is none of the name. */
  stopTimer(name: string): boolean;

  /**
   * A metric of the strategy: the run keeps last, least, greatest and mean by name, and a thinned curve for the report.
   * At most 100 names.
   */
  metric(name: string, value: number): void;
  /** A log line of the strategy, stored with the time of the block. */
  log(text: string): void;
}
