import type { ModelState } from "./state.ts";

/**
 * Saves the current state; the returned function restores it into the same objects. For attempts: a batch that is
 * rolled back, an order that must fill whole (ACT-1, ORD-2).
 */
export function saveState(state: ModelState): () => void {
  const keeps: [object, object][] = [];
  const keep = (object: object) => keeps.push([object, { ...object }]);
  const accounts = [...state.accounts];
  const positions = state.accounts.map((account) => new Map(account.positions));
  for (const account of state.accounts) {
    keep(account);
    for (const position of account.positions.values()) keep(position);
  }
  for (const market of state.markets) {
    keep(market);
    keep(market.funding);
  }
  const orders = new Map(state.orders);
  for (const order of orders.values()) keep(order);
  const intents = new Map(state.intents);
  for (const intent of intents.values()) keep(intent);
  for (const grant of state.grants.values()) keep(grant);
  const volumes = new Map([...state.volumes].map(([owner, traded]) => [owner, new Map(traded)]));
  const emitted = [...state.emitted];
  const totals = { ...state.totals };
  const sequence = state.sequence;
  return () => {
    for (const [object, before] of keeps) Object.assign(object, before);
    accounts.forEach((account, place) => {
      account.positions = positions[place] ?? new Map();
    });
    Object.assign(state, { accounts, orders, intents, volumes, emitted, sequence });
    Object.assign(state.totals, totals);
  };
}
