import { NONE } from "../../ground/collections/table.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { AUTHORITIES, type Domain } from "../../protocol/action.ts";
import type { Address } from "../../protocol/fields.ts";
import { findAgent } from "../engine/authorization/agents.ts";
import { findLane } from "../engine/authorization/lanes.ts";
import { findAccount } from "../engine/state/accounts.ts";
import type { LaneRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";

/** Who signs for whom, in which class of actions (NON-1). */
export interface LaneName {
  readonly account: Address;
  readonly subaccount: number;
  readonly signer: Address;
  readonly domain: Domain;
}

const COLUMNS = { trading: "nonceTrading", risk: "nonceRisk", funds: "nonceFunds", admin: "nonceAdmin" } as const;

/** The next nonce of a lane after all committed blocks; 0 for a lane that was never used. */
export function getCommittedNext(state: State, { account, subaccount, signer, domain }: LaneName): number {
  if (domain === "system") {
    const place = AUTHORITIES.findIndex((name) => state.genesis.authorities[name] === signer);
    return place < 0 || signer !== account || subaccount !== 0 ? 0 : state.authorityNonces[place]!;
  }
  const row = findAccount(state, new AccountKey(account, subaccount));
  if (row === NONE) return 0;
  if (signer === account) return state.accounts[COLUMNS[domain]][row]!;
  const agent = findAgent(state, new AccountKey(signer, 0));
  const lane = agent === NONE ? NONE : findLane(state, row, agent);
  return lane === NONE ? 0 : state.lanes[COLUMNS[domain]][lane as LaneRow]!;
}
