import { type Authorization, GRANT_SCOPES } from "../../../client/api/schemas/authorizations.ts";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import { idOfGrant } from "../../../venue/engine/authorization/addGrant.ts";
import { readSubaccounts, scopeBit, UNLIMITED } from "../../../venue/engine/authorization/readGrant.ts";
import type { AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatAmount } from "../../../venue/formulas/text.ts";
import { addressOf, subaccountOf } from "../../../venue/reads/rows.ts";
import type { GrantPasts } from "../../history/grants.ts";

const DAY_MS = 86_400_000;

/** Grants, newest first. */
export function listGrants({ authorizations }: State): AuthorizationRow[] {
  return Array.from({ length: authorizations.rows.high }, (_, place) => place as AuthorizationRow).reverse();
}

export function viewAuthorization(state: State, grant: AuthorizationRow, past: GrantPasts): Authorization {
  const { authorizations, grants, timeMs } = state;
  const account = authorizations.account[grant]!;
  const limit = (value: number) => (value === UNLIMITED ? null : formatAmount(value));
  const subaccounts = readSubaccounts(grants.subaccounts[grant]!);
  const isToday = authorizations.day[grant]! === Math.floor(timeMs / DAY_MS);
  const { granted, ended } = past.find(grant);
  return {
    authId: idOfGrant(state, grant),
    owner: addressOf(state, account),
    subaccount: subaccountOf(state, account),
    agent: grants.agents[grant]!,
    label: grants.labels[grant]!,
    status: AUTHORIZATION_STATUSES[authorizations.status[grant]!]!,
    scopes: GRANT_SCOPES.filter((scope) => (authorizations.scopes[grant]! & scopeBit(scope)) !== 0),
    markets: grants.markets[grant]! === "*" ? null : grants.markets[grant]!.split(" ").filter((name) => name !== ""),
    subaccounts: subaccounts === "all" || subaccounts === undefined ? null : [...subaccounts],
    limits: {
      orderNotional: limit(authorizations.maxOrderNotional[grant]!),
      positionNotional: limit(authorizations.maxPositionNotional[grant]!),
      dailyNotional: limit(authorizations.maxDailyNotional[grant]!),
      openOrders: authorizations.maxOpenOrders[grant]! === UNLIMITED ? null : authorizations.maxOpenOrders[grant]!,
    },
    usage: {
      dailyNotional: formatAmount(isToday ? authorizations.used[grant]! : 0),
      openOrders: authorizations.openOrders[grant]!,
    },
    validFromMs: authorizations.validFrom[grant]!,
    expiresAtMs: authorizations.expiresAt[grant]!,
    grantedHeight: granted ?? null,
    endedHeight: ended ?? null,
  };
}
