import type { AuthorizationRow, LaneRow, OwnerRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { idOfGrant } from "./addGrant.ts";
import { addressOfAgent } from "./agents.ts";
import { indexLane } from "./lanes.ts";
import { readMarkets, readSubaccounts } from "./readGrant.ts";

/** Puts back what grants and lanes are beside their columns, from those and their texts. */
export function restoreGrants(state: State, texts: readonly (readonly [string, string, string])[]): void {
  const { authorizations, grants, agents, lanes } = state;
  for (let agent = 0 as OwnerRow; agent < agents.rows.high; agent++) state.agentIndex.insert(agents, agent);
  texts.forEach(([label, markets, subaccounts], place) => {
    const row = place as AuthorizationRow;
    grants.labels.push(label);
    grants.markets.push(markets);
    grants.subaccounts.push(subaccounts);
    grants.agents.push(addressOfAgent(state, authorizations.agent[row]));
    grants.rows.set(idOfGrant(state, row), row);
    const coveredMarkets = readMarkets(markets, state.marketRows);
    const coveredSubaccounts = readSubaccounts(subaccounts);
    if (coveredMarkets === undefined || coveredSubaccounts === undefined) throw new Error(`grant ${row} is malformed`);
    grants.coveredMarkets.push(coveredMarkets);
    grants.coveredSubaccounts.push(coveredSubaccounts);
  });
  for (let lane = 0 as LaneRow; lane < lanes.rows.high; lane++) indexLane(state, lane);
}
