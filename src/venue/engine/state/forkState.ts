import { copyList, copyMap } from "../../../ground/collections/copies.ts";
import { copyTable } from "../../../ground/collections/table.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { IntentIndex } from "./intentIndex.ts";
import { rebuildIntents } from "./rebuildIntents.ts";
import {
  accountTable,
  authorizationTable,
  extraTable,
  intentTable,
  laneTable,
  marketTable,
  orderTable,
  ownerTable,
  positionTable,
  sourceTable,
  volumeTable,
} from "./schema.ts";
import { State } from "./state.ts";

/**
 * An independent venue with the same state: columns are copied, what is derived is rebuilt or copied with them.
 *
 * @param spare a fork that is no longer used: it becomes this one, which costs much less than new memory
 */
export function forkState(state: State, genesis: Genesis = state.genesis, spare?: State): State {
  const fork = spare?.genesis === genesis ? refill(spare, state) : new State(genesis, state);
  if (fork.genesis === state.genesis) fork.genesisText = state.genesisText;
  copyList(state.intentTexts, fork.intentTexts);
  fork.agentIndex = state.agentIndex.copy(fork.agentIndex);
  fork.grants = state.grants.copy(fork.grants);
  fork.laneIndex = state.laneIndex.copy(fork.laneIndex);
  copyList(state.parameters, fork.parameters);
  fork.tiered = state.tiered;
  copyList(state.marketNames, fork.marketNames);
  copyMap(state.marketRows, fork.marketRows);
  fork.books.length = Math.min(fork.books.length, state.books.length);
  for (const [market, book] of state.books.entries()) fork.books[market] = book.copy(fork.books[market]);
  fork.ownerIndex = state.ownerIndex.copy(fork.ownerIndex);
  fork.positionIndex = state.positionIndex.copy(fork.positionIndex);
  fork.orderIndex = state.orderIndex.copy(fork.orderIndex);
  fork.clients = state.clients.copy(fork.clients);
  fork.totals = state.totals.copy(fork.totals);
  fork.insured = state.insured.copy(fork.insured);
  fork.outflow.copyFrom(state.outflow);
  fork.authorityNonces.set(state.authorityNonces);
  if (state.nonceWindow !== 0) {
    fork.ownerNonces = state.ownerNonces.copy();
    fork.agentNonces = state.agentNonces.copy();
  }
  fork.height = state.height;
  fork.timeMs = state.timeMs;
  fork.consumed = state.consumed;
  const { data, length } = state.events;
  if (fork.events.data.length < length) fork.events.data = data.slice(0, length);
  else fork.events.data.set(data.subarray(0, length));
  fork.events.length = length;
  fork.chain = state.chain.copy();
  fork.expiries = state.expiries.copy(fork.expiries);
  fork.risk = state.risk.copy(fork.risk);
  if (fork.intents.rows.count > 0) rebuildIntents(fork);
  return fork;
}

/** Makes a fork's tables those of a venue, and forgets what it was. */
function refill(fork: State, source: State): State {
  fork.owners = copyTable(ownerTable, source.owners, fork.owners);
  fork.accounts = copyTable(accountTable, source.accounts, fork.accounts);
  fork.positions = copyTable(positionTable, source.positions, fork.positions);
  fork.orders = copyTable(orderTable, source.orders, fork.orders);
  fork.extras = copyTable(extraTable, source.extras, fork.extras);
  fork.intents = copyTable(intentTable, source.intents, fork.intents);
  fork.volumes = copyTable(volumeTable, source.volumes, fork.volumes);
  fork.markets = copyTable(marketTable, source.markets, fork.markets);
  fork.authorizations = copyTable(authorizationTable, source.authorizations, fork.authorizations);
  fork.lanes = copyTable(laneTable, source.lanes, fork.lanes);
  fork.agents = copyTable(ownerTable, source.agents, fork.agents);
  fork.sources = copyTable(sourceTable, source.sources, fork.sources);
  fork.intentIndex = new IntentIndex();
  fork.receipts.clear(0);
  fork.events.texts.length = 0;
  fork.emptied.length = 0;
  return fork;
}
