import { type Static, Type } from "typebox";
import { VALIDITIES } from "../../../protocol/validity.ts";
import {
  FUNDING_METHODS,
  LIQUIDATION_POLICIES,
  MARK_METHODS,
  MARKET_STATUSES,
  SIDES,
} from "../../../protocol/words.ts";
import { amount, count, flag, height, id, nullable, price, rate, size, text, timeMs, word } from "./common.ts";

const MarginTier = Type.Object(
  {
    from: amount("Position notional from which the tier holds."),
    initialRate: rate("Initial margin of notional."),
    maintenanceRate: rate("Maintenance margin of notional."),
    leverageMost: rate("1 / initialRate, rounded down to two digits."),
  },
  { $id: "MarginTier", description: "Margin rates by position notional (MRG-1); deductions make them continuous." },
);

const FeeTier = Type.Object(
  {
    volume: amount("Volume of 30 days from which the tier holds."),
    taker: rate("Taker fee of notional."),
    maker: rate("Maker fee of notional; negative is a rebate."),
  },
  { $id: "FeeTier" },
);

/** Rules of a market. Clients read these instead of knowing markets. */
export const Market = Type.Object(
  {
    market: text("Name: what orders carry."),
    base: text("What is traded."),
    quote: text("What prices are in."),
    status: word(MARKET_STATUSES, "Where in its life the market is (MKT)."),
    paused: Type.Object({
      trade: flag("No orders enter."),
      liquidate: flag("No account is liquidated in this market."),
      fund: flag("No funding is paid."),
      withdraw: flag("An account with a position here withdraws no collateral."),
    }),
    tickSize: price("Step of order prices."),
    lotSize: size("Step of order sizes."),
    minSize: size("Smallest order; reduce-only orders are exempt."),
    maxSize: size("Largest order."),
    minNotional: amount("Smallest value of an order; reduce-only orders are exempt."),
    positionLimit: size("Largest position of an owner's subaccounts together."),
    openInterest: size("Sum of all long positions."),
    openInterestLimit: size("Largest open interest."),
    openOrdersMost: count("Most open orders of a subaccount."),
    priceBand: rate("Greatest distance of an order price from oracle and index."),
    slippageMost: rate("Greatest slippage bound of a market order."),
    leverageMost: count("Greatest leverage that may be chosen."),
    fees: Type.Object({
      taker: rate("Taker fee of notional."),
      maker: rate("Maker fee of notional; negative is a rebate."),
      tiers: Type.Array(FeeTier, { description: "Fees by volume, where there are tiers (ORD-7)." }),
    }),
    marginTiers: Type.Array(MarginTier, { description: "By rising notional." }),
    funding: Type.Object({
      method: word(FUNDING_METHODS, "Method and parameters of funding (FND-2)."),
      intervalMs: count("Time between payments."),
      interest: rate("Interest per 8 hours."),
      cap: rate("Greatest rate per hour."),
      paymentMost: rate("Greatest single payment; the excess follows later."),
    }),
    oracle: Type.Object({
      sources: Type.Array(
        Type.Object({ name: text("Name of the source."), weight: count("Weight of the source in the median.") }),
      ),
      minSources: count("Fewest fresh sources that make a price."),
      staleMs: count("Age at which a price is stale; 0 for never."),
    }),
    mark: Type.Object({
      method: word(MARK_METHODS, "Method of the mark price (PRC-3)."),
      clamp: rate("Greatest move of index and mark in a block."),
      band: rate("Greatest distance of the mark from the index."),
    }),
    liquidation: Type.Object({
      policy: word(LIQUIDATION_POLICIES, "How positions are liquidated (LIQ)."),
      fee: rate("Greatest liquidation fee of a fill."),
    }),
    priceDecimals: count("Decimals that order prices of the market need."),
    sizeDecimals: count("Decimals that order sizes of the market need."),
    parameters: Type.Record(Type.String(), Type.String(), {
      description: "Every parameter as the protocol writes it (docs/reference/parameters.md).",
    }),
  },
  { $id: "Market", description: "Definition of a market." },
);
export type Market = Static<typeof Market>;

/** Price references of a market. */
export const Prices = Type.Object(
  {
    market: text("Name of the market."),
    mark: Type.Object({
      value: nullable(price("Mark; null before the first price.")),
      usedForPnl: Type.Literal(true, { description: "Unrealised PnL and margin come from this price and no other." }),
    }),
    index: Type.Object({ value: nullable(price("The oracle, clamped (PRC-2).")) }),
    oracle: Type.Object({
      value: nullable(price("Last raw oracle price.")),
      confidence: nullable(price("Reported with it.")),
      timeMs: nullable(timeMs("When it was reported.")),
      validity: word(VALIDITIES, "How far the price may be trusted (PRC-1)."),
      stale: flag("Whether it is older than the market allows."),
      restarting: flag("Whether the market waits for a fresh price after a gap between blocks (PRC-4)."),
    }),
    reported: Type.Object({
      value: nullable(price("Last recorded mark, where one is fed.")),
      timeMs: nullable(timeMs("When it was reported.")),
    }),
    last: nullable(price("Last traded price. Not used for PnL.")),
    bestBid: nullable(price("Best bid.")),
    bestAsk: nullable(price("Best ask.")),
    mid: nullable(price("Middle of both, 8 decimals, rounded down.")),
    bandLow: nullable(price("Lowest order price that the band allows.")),
    bandHigh: nullable(price("Highest order price that the band allows.")),
    fundingRate: rate("Rate of the last settled interval; longs pay when positive."),
    predictedFundingRate: rate("What the present interval pays if premiums stay as they were so far."),
    nextFundingMs: nullable(timeMs("When the present interval ends; null where rates are recorded ones.")),
    openInterest: size("Sum of all long positions."),
  },
  { $id: "Prices", description: "Current price references of a market." },
);
export type Prices = Static<typeof Prices>;

export const BOOK_DEPTH_MOST = 500;
export const BOOK_DEPTH_DEFAULT = 50;

/** A price level: `[price, size, orders]`. */
export const BookLevel = Type.Tuple(
  [price("Price of the level."), size("Size resting at it."), count("Orders resting at it.")],
  { $id: "BookLevel", description: "`[price, size, orders]`." },
);
export type BookLevel = Static<typeof BookLevel>;

export const Book = Type.Object(
  {
    market: text("Name of the market."),
    bids: Type.Array(BookLevel, { description: "From the best price down." }),
    asks: Type.Array(BookLevel, { description: "From the best price up." }),
    depth: count("Most levels of a side in this answer, as asked for."),
    seq: height("Messages of the channel `book` of the market with a greater `seq` come after this."),
    epoch: count("`network.epoch` of `/status` to which `seq` belongs."),
    checksum: count("CRC-32 over the ten best levels of each side (Kraken's second version)."),
  },
  { $id: "Book", description: "Resting orders of a market by price." },
);
export type Book = Static<typeof Book>;

/** How a trade came about. */
export const TRADE_KINDS = ["normal", "liquidation", "deleveraging", "closeOut", "takeover", "recorded"] as const;

export const Trade = Type.Object(
  {
    tradeId: text("Id of its event: `<height>-<transaction>-<event>`."),
    market: text("Name of the market."),
    price: price("Price; of what was closed outside the book, its value by size, toward zero."),
    size: size("Size."),
    value: amount("Price x size, exact; of what was closed outside the book, what was given for it."),
    takerSide: word(SIDES, "Side of the taker; of what was closed outside the book, of the liquidated side."),
    kind: word(TRADE_KINDS, "`recorded` is history that a house account replays."),
    height: height("Block in which it was made."),
    timeMs: timeMs("Time of that block."),
  },
  { $id: "Trade", description: "A trade. Only trades on the book move the last price." },
);
export type Trade = Static<typeof Trade>;

/** A trade of an account. */
export const Fill = Type.Object(
  {
    tradeId: text("Id of the trade's event."),
    orderId: nullable(id("The order that was filled; null where there was none.")),
    market: text("Name of the market."),
    subaccount: count("Subaccount."),
    side: word(SIDES, "Whether the account bought or sold."),
    role: word(["maker", "taker"], "Whether the order rested."),
    price: price("Price."),
    size: size("Size."),
    value: amount("Price x size, exact."),
    fee: amount("Fee; negative is a rebate."),
    kind: word(TRADE_KINDS, "How the trade came about."),
    height: height("Block in which it was made."),
    timeMs: timeMs("Time of that block."),
  },
  { $id: "Fill", description: "One side of a trade." },
);
export type Fill = Static<typeof Fill>;
