import type { Account, Grant, Intent, Market, ModelState, Order } from "./state.ts";

/** State of a model from which another model can start. */
export type KeptModel = Omit<ModelState, "tools">;

/**
 * An independent copy of a state between two blocks, or between two steps of one: the same values, and the same
 * objects named from the same places. What the model replaces and never changes is shared: genesis, parameters,
 * reports, lanes, emitted events.
 */
export function copyState<State extends KeptModel>(state: State): State {
  const markets = state.markets.map(copyMarket);
  const accounts = state.accounts.map((account) => copyAccount(account, markets));
  const grants = new Map<Grant["id"], Grant>();
  for (const [id, grant] of state.grants) grants.set(id, { ...grant });
  const orders = new Map<number, Order>();
  for (const [id, order] of state.orders) orders.set(id, copyResting(order, accounts, markets, grants));
  for (const [place, market] of markets.entries()) {
    const { bids, asks } = state.markets[place]!;
    market.bids = bids.map(({ id }) => orders.get(id)!);
    market.asks = asks.map(({ id }) => orders.get(id)!);
  }
  const intents = new Map<number, Intent>();
  for (const [id, intent] of state.intents) intents.set(id, copyResting(intent, accounts, markets, grants));
  const volumes: ModelState["volumes"] = new Map();
  for (const [owner, traded] of state.volumes) volumes.set(owner, new Map(traded));
  const { totals, cover, outflow, emitted } = state;
  return {
    ...state,
    accounts,
    markets,
    orders,
    intents,
    grants,
    lanes: new Map(state.lanes),
    volumes,
    totals: { ...totals },
    cover: { ...cover, paid: new Map(cover.paid) },
    outflow: { ...outflow, hourly: { ...outflow.hourly }, daily: { ...outflow.daily } },
    emitted: emitted.slice(),
  };
}

/** A market without its orders. */
function copyMarket(market: Market): Market {
  return { ...market, bids: [], asks: [], reports: market.reports.slice(), funding: { ...market.funding } };
}

function copyAccount(account: Account, markets: readonly Market[]): Account {
  const positions: Account["positions"] = new Map();
  const copy = { ...account, positions };
  for (const [ordinal, position] of account.positions)
    positions.set(ordinal, { ...position, account: copy, market: markets[ordinal]! });
  return copy;
}

/** An order or an intent that names the copies of its account, market and grant. */
function copyResting<Resting extends Order | Intent>(
  resting: Resting,
  accounts: readonly Account[],
  markets: readonly Market[],
  grants: ReadonlyMap<Grant["id"], Grant>,
): Resting {
  const { account, market, grant } = resting;
  return {
    ...resting,
    account: accounts[account.id]!,
    market: markets[market.ordinal]!,
    grant: grant === undefined ? undefined : grants.get(grant.id)!,
  };
}
