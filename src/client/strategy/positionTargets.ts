import type { AccountView, Context, MarketView, PositionRequest } from "./context.ts";
import { StrategyError } from "./errors.ts";
import { toLots } from "./units.ts";

/**
 * Most orders into which a change of a position is split. A larger change is sent as one order, which the market
 * refuses with a reason.
 */
const PARTS_MOST = 50;

/** A market as targets need it. */
export interface TargetMarket extends MarketView {
  /** Largest order, units of base. */
  readonly maxSize: number;
}

/** Actions that move a position: methods of a strategy's context, in their order. */
type Orders = Pick<Context, "place" | "close" | "cancel" | "cancelAll">;

interface Target {
  readonly market: TargetMarket;
  readonly size: number;
  readonly slippage: number | undefined;
}

/**
 * Positions that a strategy wants, by market, until they are sent. A target is sent after the hooks of a block. If an
 * order of the strategy for the market is still in flight, it waits, so that no order is counted twice or left out. The
 * last target of a market replaces the one before.
 */
export class PositionTargets {
  readonly #orders: Orders;
  readonly #account: AccountView;
  readonly #isInFlight: (market: string) => boolean;
  readonly #targets = new Map<string, Target>();

  /** @param isInFlight whether a transaction that may move the position in a market is not in a block yet */
  constructor(orders: Orders, account: AccountView, isInFlight: (market: string) => boolean) {
    this.#orders = orders;
    this.#account = account;
    this.#isInFlight = isInFlight;
  }

  /** @throws {StrategyError} ORDER_INVALID where the size is not a number that the venue can hold */
  set(size: number, market: TargetMarket, { slippage }: PositionRequest): void {
    if (!(Math.abs(size) * 1e8 <= Number.MAX_SAFE_INTEGER)) {
      throw new StrategyError("ORDER_INVALID", `position ${size} is not a number that the venue can hold`, {
        place: "target",
        hint: "check what it is computed from",
      });
    }
    this.#targets.set(market.name, { market, size, slippage });
  }

  /** A target is not sent yet. */
  get isWaiting(): boolean {
    return this.#targets.size > 0;
  }

  /** Sends what the targets need, where nothing is in flight. */
  send(): void {
    for (const [name, target] of this.#targets) {
      if (this.#isInFlight(name)) continue;
      this.#targets.delete(name);
      this.#cancelResting(name);
      this.#move(target);
    }
  }

  /** Resting orders that could open or increase a position would move it away from the target. */
  #cancelResting(market: string): void {
    const resting = this.#account.orders(market);
    const opening = resting.filter(({ reduceOnly }) => !reduceOnly);
    if (opening.length > 1 && opening.length === resting.length) this.#orders.cancelAll(market);
    else for (const { id } of opening) this.#orders.cancel(id);
  }

  #move({ market, size, slippage }: Target): void {
    const held = toLots(this.#account.position(market.name).size, market.lotSize);
    const wanted = toLots(size, market.lotSize);
    const side = wanted > held ? "buy" : "sell";
    if (held === 0) {
      if (wanted !== 0) this.#place(market, side, Math.abs(wanted), slippage);
      // Less than a lot is refused like any other order that is too small.
      else if (size !== 0) this.#orders.place({ market: market.name, side, size: Math.abs(size) });
    } else if (wanted === 0 || Math.sign(wanted) === Math.sign(held)) {
      const change = Math.abs(wanted) - Math.abs(held);
      if (wanted === 0) this.#closeAll(market, -change, slippage);
      else if (change < 0) this.#close(market, -change, slippage);
      else if (change * market.lotSize >= market.smallestSize) this.#place(market, side, change, slippage);
    } else if (this.#account.free > 0) {
      this.#closeAll(market, Math.abs(held), slippage);
      this.#place(market, side, Math.abs(wanted), slippage);
    } else {
      // Below its initial margin an account may turn a position with one order, and not open one after a close (MRG-4).
      this.#place(market, side, Math.abs(wanted) + Math.abs(held), slippage);
    }
  }

  /** Closes the position as it is when the order is in a block: a resting order may have filled until then. */
  #closeAll(market: TargetMarket, lots: number, slippage: number | undefined): void {
    if (lots > toLots(market.maxSize, market.lotSize)) this.#close(market, lots, slippage);
    else this.#orders.close({ market: market.name, ...(slippage === undefined ? {} : { slippage }) });
  }

  #close(market: TargetMarket, lots: number, slippage: number | undefined): void {
    const bound = slippage === undefined ? {} : { slippage };
    for (const size of split(lots, market)) this.#orders.close({ market: market.name, size, ...bound });
  }

  #place(market: TargetMarket, side: "buy" | "sell", lots: number, slippage: number | undefined): void {
    const bound = slippage === undefined ? {} : { slippage };
    for (const size of split(lots, market)) this.#orders.place({ market: market.name, side, size, ...bound });
  }
}

/** Sizes of nearly equal parts, each at most the largest order. */
function split(lots: number, { lotSize, maxSize }: TargetMarket): number[] {
  const count = Math.ceil(lots / Math.max(1, toLots(maxSize, lotSize)));
  if (count > PARTS_MOST) return [lots * lotSize];
  const part = Math.floor(lots / count);
  const larger = lots - part * count;
  return Array.from({ length: count }, (_, at) => (part + (at < larger ? 1 : 0)) * lotSize);
}

/** Whether a transaction may move the position in a market; an amendment names no market. */
export function mayMovePosition(action: string, payload: object, market: string): boolean {
  if (action === "amendOrder") return true;
  if (action !== "placeOrder" && action !== "closePosition" && action !== "placeIntent") return false;
  return (payload as { readonly market: string }).market === market;
}
