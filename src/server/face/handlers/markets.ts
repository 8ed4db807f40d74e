import { BOOK_DEPTH_DEFAULT } from "../../../client/api/schemas/markets.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { withAsOf } from "../../host/asOf.ts";
import { notFound } from "../problems/problems.ts";
import { viewBook } from "../views/book.ts";
import { viewFundingRate } from "../views/liquidations.ts";
import { listMarketRows, viewMarket, viewPrices } from "../views/markets.ts";
import { viewTrade } from "../views/trades.ts";
import type { HandlersOf } from "./handler.ts";
import { answerList, openList } from "./lists.ts";

/** @throws {ProblemError} NOT_FOUND */
export function findMarket({ marketRows }: State, name: string): MarketRow {
  const row = marketRows.get(name);
  if (row === undefined) throw notFound("No market has this name: `/markets` lists them.", "UNKNOWN_MARKET");
  return row;
}

export const marketHandlers = {
  listMarkets: ({ host }) => {
    const { state } = host;
    const markets = listMarketRows(state).map((market) => viewMarket(state, market));
    return { status: 200, body: withAsOf(host, markets) };
  },

  getMarket: ({ host }, { params }) => ({
    status: 200,
    body: withAsOf(host, viewMarket(host.state, findMarket(host.state, params.market))),
  }),

  getMarketPrices: ({ host }, { params }) => ({
    status: 200,
    body: withAsOf(host, viewPrices(host.state, findMarket(host.state, params.market))),
  }),

  getMarketBook: ({ host }, { params, query }) => {
    const market = findMarket(host.state, params.market);
    const depth = query.depth ?? BOOK_DEPTH_DEFAULT;
    return { status: 200, body: withAsOf(host, viewBook(host.state, market, depth, host.epoch)) };
  },

  listMarketTrades: (services, call) => {
    const { trades, state, ...scope } = services.history.read();
    const market = findMarket(state, call.params.market);
    return answerList(
      openList(services, call, scope),
      scope.asOf,
      trades.ofMarket(market).newestFirst(),
      ({ height, ordinal }) => [height, ordinal],
      (trade) => viewTrade(state, trade),
    );
  },

  listFundingRates: (services, call) => {
    const { funding, state, ...scope } = services.history.read();
    const market = findMarket(state, call.params.market);
    return answerList(
      openList(services, call, scope),
      scope.asOf,
      funding.ofMarket(market).newestFirst(),
      ({ height, ordinal }) => [height, ordinal],
      (record) => viewFundingRate(state, record),
    );
  },
} satisfies HandlersOf<
  "listMarkets" | "getMarket" | "getMarketPrices" | "getMarketBook" | "listMarketTrades" | "listFundingRates"
>;
