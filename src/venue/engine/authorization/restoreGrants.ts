import type { AuthorizationRow, LaneRow, OwnerRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { idOfGrant } from "./addGrant.ts";
import { addressOfAgent } from "./agents.ts";
import { indexLane } from "./lanes.ts";
import { readMarkets, readSubaccounts } from "./readGrant.ts";

/** Label, markets and subaccounts of a grant, as they were granted. */
type GrantTexts = readonly [string, string, string];

/** Restores grants and lanes from their columns and texts. */
export function restoreGrants(state: State, texts: readonly GrantTexts[]): void {
  const { agents, lanes } = state;
  for (let agent = 0 as OwnerRow; agent < agents.rows.high; agent++) state.agentIndex.insert(agents, agent);
  texts.forEach((ofGrant, row) => {
    restoreGrant(state, row as AuthorizationRow, ofGrant);
  });
  for (let lane = 0 as LaneRow; lane < lanes.rows.high; lane++) indexLane(state, lane);
}

/** Restores one grant; all grants before it are restored already. */
export function restoreGrant(state: State, row: AuthorizationRow, [label, markets, subaccounts]: GrantTexts): void {
  const { authorizations, grants } = state;
  const coveredMarkets = readMarkets(markets, state.marketRows);
  const coveredSubaccounts = readSubaccounts(subaccounts);
  if (coveredMarkets === undefined || coveredSubaccounts === undefined) throw new Error(`grant ${row} is malformed`);
  grants.labels.push(label);
  grants.markets.push(markets);
  grants.subaccounts.push(subaccounts);
  grants.agents.push(addressOfAgent(state, authorizations.agent[row]));
  grants.rows.set(idOfGrant(state, row), row);
  grants.coveredMarkets.push(coveredMarkets);
  grants.coveredSubaccounts.push(coveredSubaccounts);
}
