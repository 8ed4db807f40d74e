import type { ActionName } from "../../../protocol/actions/index.ts";
import type { InvalidCode, RejectionCode } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { ModelAction } from "../actions/handler.ts";
import { TABLE } from "../actions/table.ts";
import type { Account, Grant, ModelState } from "../state.ts";
import { ZERO_BYTES32 } from "../words.ts";
import { type Demand, OWNER } from "./demand.ts";

/** Codes of grants that are not in force, by status. */
const NOT_ACTIVE = {
  scheduled: "AUTHORIZATION_NOT_YET_VALID",
  expired: "AUTHORIZATION_EXPIRED",
  revoked: "AUTHORIZATION_REVOKED",
  exhausted: "AUTHORIZATION_EXHAUSTED",
} as const satisfies Readonly<Record<Exclude<Grant["status"], "active">, InvalidCode>>;

/** Whether the signer may act for the account: as owner, or under the header's grant (AUT). */
export function admitSigner(
  state: ModelState,
  account: Account,
  { header }: Transaction,
): { code: InvalidCode } | { grant: Grant | undefined } {
  if (header.signer === account.owner) {
    return header.authorization === ZERO_BYTES32 ? { grant: undefined } : { code: "AUTHORIZATION_FOREIGN" };
  }
  const grant = state.grants.get(header.authorization);
  if (grant === undefined) return { code: "AUTHORIZATION_MISSING" };
  if (grant.owner !== account.owner || grant.agent !== header.signer) return { code: "AUTHORIZATION_FOREIGN" };
  return grant.status === "active" ? { grant } : { code: NOT_ACTIVE[grant.status] };
}

/**
 * The first of scope, subaccount and market that the grant does not cover for this action; undefined if all are covered
 * (AUT).
 */
export function checkCovered(
  state: ModelState,
  account: Account,
  grant: Grant,
  transaction: Transaction,
): RejectionCode | undefined {
  const action = TABLE[transaction.action] as ModelAction<ActionName>;
  const demand = action.demand?.(transaction.payload, state, account, grant) ?? OWNER;
  if (demand.markets === "all") return checkDemand(grant, account, demand);
  // The action itself rejects a market that does not exist.
  const markets = demand.markets.filter((name) => state.markets.some((market) => market.name === name));
  return checkDemand(grant, account, { ...demand, markets });
}

/** The first of scope, subaccount and market that a grant does not cover. */
export function checkDemand(grant: Grant, account: Account, demand: Demand): RejectionCode | undefined {
  if (demand.scope === "any") return undefined;
  if (!hasScope(grant, demand.scope)) return "AUTHORIZATION_SCOPE";
  const subaccounts = [account.subaccount, ...(demand.subaccount === undefined ? [] : [demand.subaccount])];
  if (subaccounts.some((number) => grant.subaccounts !== undefined && !grant.subaccounts.has(number)))
    return "AUTHORIZATION_SUBACCOUNT";
  if (grant.markets === undefined) return undefined;
  const { markets } = grant;
  if (demand.markets === "all" || demand.markets.some((name) => !markets.has(name))) return "AUTHORIZATION_MARKET";
  return undefined;
}

/** A grant to trade includes reducing; no grant includes `owner`. */
function hasScope({ scopes }: Grant, scope: Demand["scope"]): boolean {
  if (scope === "owner" || scope === "any") return false;
  return scopes.has(scope) || (scope === "reduce" && scopes.has("trade"));
}
