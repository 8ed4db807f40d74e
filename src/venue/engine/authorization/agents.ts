import { NONE } from "../../../ground/collections/table.ts";
import { type AddressWords, addressOfWords } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { AccountRow, OwnerRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** The row of an agent's address, NONE for one that never had a grant. */
export function findAgent({ agents, agentIndex }: State, key: AddressWords): OwnerRow {
  return agentIndex.find(agents, key);
}

/** The row of an agent's address, created if it does not exist. Rows of agents are never removed. */
export function findOrCreateAgent(state: State, key: AddressWords): OwnerRow {
  const found = findAgent(state, key);
  if (found !== NONE) return found;
  const agent = state.agents.rows.allocate();
  const { agents } = state;
  agents.w0[agent] = key.w0;
  agents.w1[agent] = key.w1;
  agents.w2[agent] = key.w2;
  agents.w3[agent] = key.w3;
  agents.w4[agent] = key.w4;
  agents.account[agent] = NONE as AccountRow;
  state.agentIndex.insert(agents, agent);
  return agent;
}

/** An agent's address as text. */
export function addressOfAgent({ agents }: State, agent: OwnerRow): Address {
  return addressOfWords(agents.w0[agent], agents.w1[agent], agents.w2[agent], agents.w3[agent], agents.w4[agent]);
}
