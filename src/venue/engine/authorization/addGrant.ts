import { type AccountKey, hexOfWord } from "../../../protocol/accountKey.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Covered } from "../state/grants.ts";
import type { AccountRow, AuthorizationRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { findOrCreateAgent } from "./agents.ts";

/** Columns of a grant that are limits or times, as they are granted. */
export const TERMS = [
  "scopes",
  "maxOrderNotional",
  "maxPositionNotional",
  "maxDailyNotional",
  "maxOpenOrders",
  "validFrom",
  "expiresAt",
] as const;

/** A grant that was checked. */
export interface NewGrant {
  readonly id: Bytes32;
  /** Account that granted; the grant is its owner's. */
  readonly account: AccountRow;
  readonly agent: AccountKey;
  readonly status: number;
  readonly label: string;
  readonly markets: string;
  readonly subaccounts: string;
  readonly coveredMarkets: Covered<MarketRow>;
  readonly coveredSubaccounts: Covered<number>;
  readonly terms: Readonly<Record<(typeof TERMS)[number], number>>;
}

/** Columns of the id, 32 bits each, the first ones first. */
export const ID_COLUMNS = ["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"] as const;

/** Puts a grant into the table; grants are never removed. Writes no event. */
export function addGrant(state: State, grant: NewGrant): AuthorizationRow {
  const agent = findOrCreateAgent(state, grant.agent);
  const row = state.authorizations.rows.allocate();
  const { authorizations, grants } = state;
  authorizations.account[row] = grant.account;
  authorizations.agent[row] = agent;
  ID_COLUMNS.forEach((column, place) => {
    authorizations[column][row] = Number.parseInt(grant.id.slice(2 + place * 8, 10 + place * 8), 16);
  });
  authorizations.status[row] = grant.status;
  for (const column of TERMS) authorizations[column][row] = grant.terms[column];
  grants.labels[row] = grant.label;
  grants.markets[row] = grant.markets;
  grants.subaccounts[row] = grant.subaccounts;
  grants.agents[row] = grant.agent.address;
  grants.rows.set(grant.id, row);
  grants.coveredMarkets[row] = grant.coveredMarkets;
  grants.coveredSubaccounts[row] = grant.coveredSubaccounts;
  return row;
}

/** The id of a grant as text. */
export function idOfGrant({ authorizations }: State, row: AuthorizationRow): Bytes32 {
  let hex: Bytes32 = "0x";
  for (const column of ID_COLUMNS) hex = `${hex}${hexOfWord(authorizations[column][row])}`;
  return hex;
}
