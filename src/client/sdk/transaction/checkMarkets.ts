import { parseDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { Market } from "../resources.ts";
import type { PreflightCheck, PreflightCode, PreflightFailure } from "./preflightFailure.ts";

/** An order as a payload has it, decoded: 1e-8 of a unit of base, 1e-8 USD; 0 for absent. */
interface NamedOrder {
  readonly place: string;
  readonly market: string;
  readonly size: number;
  readonly price: number;
  readonly reduceOnly: boolean;
  readonly entersMarket: boolean;
}

/** Statuses in which a market accepts no order, as far as a client can decide without the order's effect. */
const CLOSED: ReadonlySet<string> = new Set(["initializing", "cancelOnly", "halted", "settling", "settled"]);

/** Markets that exist and are open; prices on their ticks, sizes on their lots and within their bounds. */
export function checkMarkets(transaction: Transaction, markets: ReadonlyMap<string, Market>): PreflightFailure[] {
  return ordersOf(transaction).flatMap((order) => {
    const market = markets.get(order.market);
    if (market !== undefined) return checkOrder(order, market);
    const known = [...markets.keys()].join(", ");
    return [fail("intent", "UNKNOWN_MARKET", `${order.place}.market`, `markets are ${known}`)];
  });
}

function checkOrder(order: NamedOrder, market: Market): PreflightFailure[] {
  const { place, size, price, reduceOnly, entersMarket } = order;
  if (!entersMarket) return [];
  const failures: PreflightFailure[] = [];
  if (CLOSED.has(market.status)) {
    failures.push(fail("intent", "MARKET_CLOSED", `${place}.market`, `${market.market} is ${market.status}`));
  }
  if (price % e8(market.tickSize) !== 0) {
    failures.push(fail("numbers", "OFF_TICK", `${place}.price`, `not a multiple of the tick, ${market.tickSize}`));
  }
  if (size % e8(market.lotSize) !== 0) {
    failures.push(fail("numbers", "OFF_LOT", `${place}.size`, `not a multiple of the lot, ${market.lotSize}`));
  }
  // Reduce-only orders may be smaller than the smallest; a size of 0 closes all.
  const isTooSmall = !reduceOnly && size > 0 && size < e8(market.minSize);
  if (isTooSmall || size > e8(market.maxSize)) {
    const message = `orders are from ${market.minSize} to ${market.maxSize}`;
    failures.push(fail("numbers", "SIZE_OUT_OF_RANGE", `${place}.size`, message));
  }
  return failures;
}

/** Markets that a payload names. */
export function marketsOf(payload: object): string[] {
  return Object.entries(payload).flatMap(([name, value]: [string, unknown]) => {
    if (name === "market") return value === "" ? [] : [value as string];
    return name === "orders" ? (value as readonly object[]).flatMap(marketsOf) : [];
  });
}

function ordersOf({ action, payload }: Transaction): NamedOrder[] {
  const fields = payload as unknown as Readonly<Record<string, unknown>>;
  if (action === "placeOrders") {
    const orders = fields["orders"] as readonly Readonly<Record<string, unknown>>[];
    return orders.map((order, place) => orderOf(order, `payload.orders[${place}]`, true));
  }
  // System actions create and settle markets under their own rules.
  const isOwn = ["placeOrder", "closePosition", "placeIntent", "setLeverage", "setMarginMode", "cancelAll"];
  if (!isOwn.includes(action) || typeof fields["market"] !== "string" || fields["market"] === "") return [];
  return [orderOf(fields, "payload", action === "placeOrder" || action === "closePosition")];
}

function orderOf(fields: Readonly<Record<string, unknown>>, place: string, entersMarket: boolean): NamedOrder {
  return {
    place,
    market: fields["market"] as string,
    size: numberOf(fields["size"]),
    price: numberOf(fields["price"]),
    // Closing only reduces; its payload has no flag for it.
    reduceOnly: fields["reduceOnly"] !== false,
    entersMarket,
  };
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : 0);
const e8 = (text: string) => parseDecimal(text, DECIMALS.size);

function fail(check: PreflightCheck, code: PreflightCode, place: string, message: string): PreflightFailure {
  return { check, code, place, message };
}
