import { type AddressWords, addressOfWords } from "../../../protocol/accountKey.ts";
import type { Address } from "../../../protocol/fields.ts";
import { findOrCreateOwner } from "../state/accounts.ts";
import type { OwnerRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** The row of an agent's address, NONE for one that never had a grant. */
export function findAgent({ agents, agentIndex }: State, key: AddressWords): OwnerRow {
  return agentIndex.find(agents, key);
}

/** The row of an agent's address, created if it does not exist. Rows of agents are never removed. */
export function findOrCreateAgent({ agents, agentIndex }: State, key: AddressWords): OwnerRow {
  return findOrCreateOwner(agents, agentIndex, key);
}

/** An agent's address as text. */
export function addressOfAgent({ agents }: State, agent: OwnerRow): Address {
  return addressOfWords(agents.w0[agent], agents.w1[agent], agents.w2[agent], agents.w3[agent], agents.w4[agent]);
}
