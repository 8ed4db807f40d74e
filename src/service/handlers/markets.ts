import { BOOK_DEPTH_DEFAULT } from "../../api/schemas/markets.ts";
import type { MarketRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import type { HandlersOf } from "../handler.ts";
import { notFound } from "../problems.ts";
import { withAsOf } from "../views/asOf.ts";
import { viewBook } from "../views/book.ts";
import { listMarketRows, viewMarket, viewPrices } from "../views/markets.ts";

/** @throws {ProblemError} NOT_FOUND */
export function findMarket({ marketRows }: State, name: string): MarketRow {
  const row = marketRows.get(name);
  if (row === undefined) throw notFound("No market has this name: `/markets` lists them.", "UNKNOWN_MARKET");
  return row;
}

export const marketHandlers = {
  listMarkets: ({ host }) => ({
    status: 200,
    body: withAsOf(
      host,
      listMarketRows(host.state).map((market) => viewMarket(host.state, market)),
    ),
  }),
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
} satisfies HandlersOf<"listMarkets" | "getMarket" | "getMarketPrices" | "getMarketBook">;
