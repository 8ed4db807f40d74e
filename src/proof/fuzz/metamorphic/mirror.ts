import { LIMIT } from "../../../ground/math/fixed.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { POST_ONLY } from "../../../protocol/words.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { ORACLES } from "../run/violation.ts";
import { mapPayload } from "../shrink/payloads.ts";
import { playScript } from "../shrink/runner.ts";
import type { Line, Script, TransactionLine } from "../shrink/script.ts";
import { findDifference, type MetamorphicPair, meetsBound, violate } from "./pair.ts";

/**
 * Mirrors the book: sides are swapped and prices reflected. A buy at p becomes a sell at 2c - p, so the best price
 * stays the best. Money has no mirror. Margin and fees grow with the price, a position's released cost is rounded
 * toward zero, and a slippage bound is a ratio. So all accounts are house accounts in both chains, which are exempt
 * from margin (ACC). Venue prices are the same in both chains, and only orders, fills and sizes are compared.
 */
export const sidesDoNotMatter: MetamorphicPair = {
  id: "sidesDoNotMatter",
  sentence: ORACLES.sidesDoNotMatter,
  rules: ["ORD-1", "ORD-2", "ORD-3", "ORD-6", "POS-2"],
  check({ script, apply }) {
    const { parameters, marketNames } = createVenue(script.genesis);
    const markets = new Map(marketNames.map((name, at) => [name, parameters[at]!]));
    const centres = findCentres(script.lines, markets);
    const plain = keepReflectable(script, centres, markets);
    const mirrored = { ...plain, lines: plain.lines.map((line) => mirrorLine(line, centres)) };
    const [one, two] = [playScript(plain, apply).chronicle, playScript(mirrored, apply).chronicle];
    const [first, second] = [createVenue(one.genesis), createVenue(two.genesis)];
    const sums = marketNames.map((name, at) => (2 * (centres.get(name) ?? 0)) / parameters[at]!.tickSize);
    for (const [at, block] of one.blocks.entries()) {
      const other = two.blocks[at];
      if (other === undefined) return violate(this.id, block.height, "the other chain ends before it");
      const [before, after] = [apply(first, block), apply(second, other)];
      const found = findDifference(describeBook(before, undefined), describeBook(after, sums));
      if (found === undefined) continue;
      return meetsBound(before) || meetsBound(after) ? undefined : violate(this.id, block.height, found);
    }
    return undefined;
  },
};

/** Actions that trade and have a mirror. */
const TRADES: ReadonlySet<string> = new Set(["placeOrder", "placeOrders", "amendOrder", "closePosition"]);
/** Other actions that are kept: they have no side and need no margin. */
const KEPT: ReadonlySet<string> = new Set([
  "cancelOrder",
  "cancelOrders",
  "cancelAll",
  "scheduleCancel",
  "noop",
  "oracleUpdate",
  "updateMarket",
]);

/** Limit for an amendment, whose market is known only when it runs: ten thousand base units. */
const SIZE_MOST = 1e12;

interface Order {
  readonly market: string;
  readonly price: number;
  readonly size: number;
  readonly postOnly?: number;
  readonly slippage?: number;
}

/** Orders of a line; the orders of a batch one by one. */
function ordersOf({ action, payload }: TransactionLine): readonly Order[] {
  const { orders } = payload as { readonly orders?: readonly Order[] };
  return action === "placeOrders" ? (orders ?? []) : [payload as Order];
}

/** By market, half a tick above the middle of all order prices. A tick reflected there is a tick. */
function findCentres(
  lines: readonly Line[],
  markets: ReadonlyMap<string, MarketParameters>,
): ReadonlyMap<string, number> {
  const prices = new Map<string, number[]>();
  for (const line of lines) {
    if (line.kind === "block" || !TRADES.has(line.action) || line.action === "amendOrder") continue;
    for (const { market, price } of ordersOf(line))
      if (price > 0) prices.set(market, [...(prices.get(market) ?? []), price]);
  }
  const centres = new Map<string, number>();
  for (const [market, list] of prices) {
    const tickSize = markets.get(market)?.tickSize;
    if (tickSize === undefined) continue;
    const middle = list.sort((a, b) => a - b)[list.length >> 1]!;
    centres.set(market, (Math.floor(middle / tickSize) + 0.5) * tickSize);
  }
  return centres;
}

/** Lines of house accounts that have a mirror. */
function keepReflectable(
  { genesis, lines }: Script,
  centres: ReadonlyMap<string, number>,
  markets: ReadonlyMap<string, MarketParameters>,
): Script {
  const kept = lines.filter((line) => {
    if (line.kind === "block" || KEPT.has(line.action)) return line.kind === "block" || line.grant === undefined;
    if (!TRADES.has(line.action) || line.grant !== undefined) return false;
    if (line.action === "amendOrder") return ordersOf(line).every(({ price, size }) => price === 0 && size < SIZE_MOST);
    return ordersOf(line).every(({ market, price, size, postOnly, slippage }) => {
      const centre = centres.get(market);
      // A slippage bound with a price may be the tighter one (ORD-1), and has no mirror.
      if (centre === undefined || price === 0 || (slippage ?? 0) !== 0) return false;
      const { tickSize, lotSize, tickLotValue } = markets.get(market)!;
      // Far from the largest storable number at either price, even multiplied.
      const lots = size / lotSize;
      if (Math.max(lots, lots * ((2 * centre) / tickSize) * tickLotValue) > LIMIT / 1_000) return false;
      // At one edge of the book an order has no tick to slide to; at the mirrored edge it has.
      return price >= 2 * tickSize && price <= 2 * centre - 2 * tickSize && postOnly !== POST_ONLY.slide;
    });
  });
  return { genesis: withHouses(genesis, kept), lines: kept };
}

function withHouses(genesis: Genesis, lines: readonly Line[]): Genesis {
  const keys = new Map<string, Genesis["accounts"][number]>();
  const add = (address: Genesis["accounts"][number]["address"], subaccount: number, balance: string) =>
    keys.set(`${address} ${subaccount}`, { address, subaccount, role: "house", balance });
  for (const line of lines)
    if (line.kind === "transaction" && line.domain !== "system")
      add(line.account.address, line.account.subaccount, "0");
  for (const { address, subaccount, balance } of genesis.accounts) add(address, subaccount, balance);
  return { ...genesis, accounts: [...keys.values()] };
}

function mirrorLine(line: Line, centres: ReadonlyMap<string, number>): Line {
  if (line.kind === "block" || !TRADES.has(line.action)) return line;
  const markets = ordersOf(line).map(({ market }) => market);
  const payload = mapPayload(line.action, line.payload, ({ kind }, value, name, path) => {
    if (name === "side") return 1 - (value as number);
    if (kind !== "price" || value === 0) return value;
    const market = markets[typeof path[1] === "number" ? path[1] : 0]!;
    return 2 * centres.get(market)! - (value as number);
  });
  return { ...line, payload };
}

/**
 * Describes what happened to orders and sizes.
 *
 * @param sums for a mirrored chain: sum of price and mirrored price of each market, ticks
 */
function describeBook(result: BlockResult, sums: readonly number[] | undefined): string[] {
  const { events, from, to, receipts } = result;
  const price = (market: number, ticks: number) => (sums === undefined ? ticks : sums[market]! - ticks);
  const side = (word: number) => (sums === undefined ? word : 1 - word);
  const orders = readEvents(events, from, to).flatMap((event) => describeOrder(event, price, side));
  return [...orders, `receipts ${[...receipts.codes.subarray(0, receipts.count)].join(" ")}`];
}

function describeOrder(
  event: VenueEvent,
  price: (market: number, ticks: number) => number,
  side: (word: number) => number,
): string[] {
  switch (event.kind) {
    case "orderOpened": {
      const { order, account, market, remaining, filled, reduceOnly } = event;
      return [
        `order ${order} of ${account}: ${side(event.side)} ${remaining} at ${price(market, event.price)}, ${filled} filled${reduceOnly === 0 ? "" : ", reduce-only"}`,
      ];
    }
    case "orderAmended":
      return [
        `order ${event.order} amended: ${event.remaining} at ${price(event.market, event.price)}, ${event.rests === 1 ? "rests" : "enters"}`,
      ];
    case "orderResized":
      return [`order ${event.order} resized: ${event.remaining}`];
    case "orderCancelled":
      return [`order ${event.order} cancelled: ${event.remaining}, ${event.cause}`];
    case "fill": {
      const { market, makerOrder, takerOrder, size, takerSide } = event;
      return [`${takerOrder} takes ${size} of ${makerOrder} at ${price(market, event.price)}, ${side(takerSide)}`];
    }
    case "positionChanged": {
      const { account, market, size } = event;
      return [`account ${account} in market ${market}: ${side(0) === 0 || size === 0 ? size : -size}`];
    }
    default:
      return [];
  }
}
