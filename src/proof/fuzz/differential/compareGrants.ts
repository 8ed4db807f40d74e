import { addressOfWords } from "../../../protocol/accountKey.ts";
import { SCOPES } from "../../../protocol/action.ts";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import { idOfGrant, TERMS } from "../../../venue/engine/authorization/addGrant.ts";
import { scopeBit } from "../../../venue/engine/authorization/readGrant.ts";
import type { AuthorizationRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Grant, ModelState } from "../../model/state.ts";
import type { Comparison, Same } from "./comparison.ts";

/** A block rarely creates more grants than this. */
const NEW_GRANTS = 8;

/** Compares grants by ordinal (AUT). */
export function compareGrants(comparison: Comparison, venue: State, model: ModelState): void {
  const { authorizations } = venue;
  comparison.same("grants", authorizations.rows.count, model.grants.size);
  for (const grant of model.grants.values()) {
    if (comparison.isFull) return;
    const row = grant.ordinal as AuthorizationRow;
    const same = comparison.of(() => `grant ${grant.ordinal}, `);
    same("status", AUTHORIZATION_STATUSES[authorizations.status[row]!], grant.status);
    same("used", authorizations.used[row], grant.used);
    same("day of what is used", authorizations.day[row], grant.day);
    // The terms of a grant never change, so they are compared only while the grant is new.
    if (grant.ordinal >= model.grants.size - NEW_GRANTS) compareTerms(same, venue, row, grant);
  }
}

function compareTerms(same: Same, venue: State, row: AuthorizationRow, grant: Grant): void {
  const { authorizations, grants, accounts, owners, marketRows } = venue;
  same("id", idOfGrant(venue, row), grant.id);
  const owner = accounts.owner[authorizations.account[row]!]!;
  const { w0, w1, w2, w3, w4 } = owners;
  same("owner", addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!), grant.owner);
  same("agent", grants.agents[row], grant.agent);
  const bits = SCOPES.reduce((sum, scope) => sum + (grant.scopes.has(scope) ? scopeBit(scope) : 0), 0);
  for (const term of TERMS) same(term, authorizations[term][row], term === "scopes" ? bits : grant[term]);
  const markets = grant.markets === undefined ? "all" : [...grant.markets].map((name) => marketRows.get(name)!);
  same("markets", listCovered(grants.coveredMarkets[row]), listCovered<MarketRow>(markets));
  same("subaccounts", listCovered(grants.coveredSubaccounts[row]), listCovered(grant.subaccounts ?? "all"));
}

/** Text of a list, independent of its order. */
function listCovered<Item extends number>(covered: "all" | Iterable<Item> | undefined): string {
  if (covered === undefined || covered === "all") return String(covered);
  return [...covered].sort((a, b) => a - b).join(" ");
}
