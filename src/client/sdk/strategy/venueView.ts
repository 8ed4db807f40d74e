import type { MarginAccountRisk, Position } from "../../api/schemas/accounts.ts";
import type { AsOf } from "../../api/schemas/common.ts";
import type { Book, Prices } from "../../api/schemas/markets.ts";
import type { Intent, Order } from "../../api/schemas/orders.ts";
import type { ClientCore } from "../core.ts";
import { ClientError } from "../errors.ts";
import { call, each } from "../operations/operation.ts";
import type { Market } from "../resources.ts";

/** Attempts to read a view without a block in between. */
const ATTEMPTS_MOST = 20;
const DEPTH = 50;

/** State of a market that a strategy sees, at one height. */
export interface MarketFacts {
  readonly rules: Market;
  readonly prices: Prices;
  readonly book: Book;
  /** Time of the last funding payment; undefined before the first. */
  readonly fundingTimeMs: number | undefined;
}

/** State that a strategy sees, at one height. */
export interface VenueView {
  readonly asOf: AsOf;
  readonly markets: ReadonlyMap<string, MarketFacts>;
  readonly positions: ReadonlyMap<string, Position>;
  /** Open ones, oldest first. */
  readonly orders: readonly Order[];
  /** Those that may still act, oldest first. */
  readonly intents: readonly Intent[];
  /** The cross margin account, then those of isolated positions; none for an account that never held anything. */
  readonly marginAccounts: readonly MarginAccountRisk[];
}

export interface ViewOwner {
  readonly address: string;
  readonly subaccount: number;
}

/**
 * Reads everything at one height; repeats the read if a block came in between.
 *
 * @throws {ClientError} VIEW_TORN if blocks come faster than they can be read
 */
export async function readVenueView(
  core: ClientCore,
  owner: ViewOwner,
  markets: readonly Market[],
): Promise<VenueView> {
  let seen = 0;
  for (let attempt = 0; attempt < ATTEMPTS_MOST; attempt++) {
    const view = await readOnce(core, owner, markets);
    if (typeof view !== "number") return view;
    seen = view;
  }
  throw new ClientError("VIEW_TORN", "blocks come faster than the client can read the venue", { height: seen });
}

/** The view, or the height at which the second half was read. */
async function readOnce(core: ClientCore, owner: ViewOwner, rules: readonly Market[]): Promise<VenueView | number> {
  const [risk, positions, orders, intents, facts] = await Promise.all([
    call(core, "listRisk", owner),
    call(core, "listPositions", owner),
    readAll<Order>(core, "listOrders", owner),
    readAll<Intent>(core, "listIntents", owner),
    Promise.all(rules.map((market) => readMarket(core, market))),
  ]);
  const { asOf } = risk;
  const seen = [positions.asOf, orders.asOf, intents.asOf, ...facts.flatMap(({ asOf: of }) => of)];
  const hashes = seen.map(({ hash }) => hash);
  if (hashes.some((hash) => hash !== asOf.hash)) return asOf.height;
  const account = risk.data.find(({ subaccount }) => subaccount === owner.subaccount);
  return {
    asOf,
    markets: new Map(facts.map(({ facts: market }) => [market.rules.market, market])),
    positions: new Map(positions.data.map((position) => [position.market, position])),
    orders: orders.data.sort((a, b) => Number(a.orderId) - Number(b.orderId)),
    intents: intents.data.sort((a, b) => Number(a.intentId) - Number(b.intentId)),
    marginAccounts: account?.marginAccounts ?? [],
  };
}

async function readAll<Row>(
  core: ClientCore,
  list: "listOrders" | "listIntents",
  owner: ViewOwner,
): Promise<{ data: Row[]; asOf: AsOf }> {
  const query = { ...owner, limit: 500 };
  const first = await call(core, list, query);
  const data = [...first.data] as Row[];
  if (first.page.next !== null) {
    for await (const row of each(core, list, { ...query, cursor: first.page.next })) data.push(row as Row);
  }
  return { data, asOf: first.asOf };
}

async function readMarket(core: ClientCore, rules: Market): Promise<{ facts: MarketFacts; asOf: AsOf[] }> {
  const { market } = rules;
  const [prices, book, funding] = await Promise.all([
    call(core, "getMarketPrices", { market }),
    call(core, "getMarketBook", { market, depth: DEPTH }),
    call(core, "listFundingRates", { market, limit: 1 }),
  ]);
  const fundingTimeMs = funding.data[0]?.timeMs;
  return {
    facts: { rules, prices: prices.data, book: book.data, fundingTimeMs },
    asOf: [prices.asOf, book.asOf, funding.asOf],
  };
}
