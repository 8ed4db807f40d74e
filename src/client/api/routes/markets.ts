import { Type } from "typebox";
import { defineRoute } from "../route.ts";
import { listed, marketParam, paged, pageQuery, single } from "../schemas/common.ts";
import { FundingRate } from "../schemas/liquidations.ts";
import { BOOK_DEPTH_DEFAULT, BOOK_DEPTH_MOST, Book, Market, Prices, Trade } from "../schemas/markets.ts";

const params = Type.Object({ market: marketParam });

export const marketRoutes = {
  listMarkets: defineRoute({
    method: "GET",
    path: "/markets",
    tag: "markets",
    summary: "All markets",
    description: "Clients use these definitions in place of hard-coded ones.",
    responses: { 200: listed(Market) },
    weight: 2,
  }),
  getMarket: defineRoute({
    method: "GET",
    path: "/markets/{market}",
    tag: "markets",
    summary: "Market definition",
    params,
    responses: { 200: single(Market) },
    problems: ["NOT_FOUND"],
    weight: 1,
  }),
  getMarketPrices: defineRoute({
    method: "GET",
    path: "/markets/{market}/prices",
    tag: "markets",
    summary: "Current price references",
    description: "Unrealised PnL is computed from `mark` and from nothing else.",
    params,
    responses: { 200: single(Prices) },
    problems: ["NOT_FOUND"],
    weight: 1,
  }),
  getMarketBook: defineRoute({
    method: "GET",
    path: "/markets/{market}/book",
    tag: "markets",
    summary: "Order-book snapshot",
    description: "Messages of the channel `book` with a greater `seq` come after it, so both can be put together.",
    params,
    query: Type.Object({
      depth: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: BOOK_DEPTH_MOST,
          default: BOOK_DEPTH_DEFAULT,
          description: "Most levels of a side.",
        }),
      ),
    }),
    responses: { 200: single(Book) },
    problems: ["NOT_FOUND"],
    weight: 2,
  }),
  listMarketTrades: defineRoute({
    method: "GET",
    path: "/markets/{market}/trades",
    tag: "markets",
    summary: "Recent trades, newest first",
    params,
    query: Type.Object(pageQuery),
    responses: { 200: paged(Trade) },
    problems: ["NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  listFundingRates: defineRoute({
    method: "GET",
    path: "/markets/{market}/funding",
    tag: "markets",
    summary: "Recent funding payments, newest first",
    params,
    query: Type.Object(pageQuery),
    responses: { 200: paged(FundingRate) },
    problems: ["NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
} as const;
