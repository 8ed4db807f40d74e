import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { AUTHORIZATION_STATUS } from "../../../protocol/words.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { readStatuses } from "./grantStatesGoForward.ts";

export const agentWithinGrant = defineInvariant<Map<number, number>>({
  id: "agentWithinGrant",
  sentence:
    "An agent's transaction needs a grant from the account's owner: in force, in time, and for its subaccount and market. A revoked grant fails from the next transaction on.",
  rules: ["AUT"],
  catalogue: ["T06"],
  when: "transaction",
  skipsEmptySteps: true,
  start: readStatuses,
  touched(moment, statuses) {
    const found = check(moment, statuses);
    note(moment, statuses);
    return found;
  },
});

function check(moment: Moment, statuses: ReadonlyMap<number, number>): string | undefined {
  const { transaction, code, state, actor, index } = moment;
  if (transaction === undefined || code < 0 || actor === NONE) return undefined;
  const { header } = transaction;
  if (header.signer === header.account.address) return undefined;
  moment.met++;
  const { authorizations, grants, accounts } = state;
  const grant = grants.find(header.authorization);
  const name = `transaction ${index}`;
  if (grant === NONE) return `${name} is signed by an agent without a grant`;
  if (grants.agents[grant] !== header.signer) return `${name} is not signed by the agent of grant ${grant}`;
  if (accounts.owner[authorizations.account[grant]] !== accounts.owner[actor])
    return `${name} acts for an owner who did not give grant ${grant}`;
  if (statuses.get(grant) !== AUTHORIZATION_STATUS.active)
    return `${name} acts under grant ${grant} of status ${statuses.get(grant)}`;
  const { timeMs } = state;
  if (authorizations.validFrom[grant] > timeMs || authorizations.expiresAt[grant] <= timeMs)
    return `${name} acts under grant ${grant} outside its time`;
  if (code !== 0) return undefined;
  const subaccounts = grants.subaccounts[grant]!;
  const subaccount = String(header.account.subaccount);
  const free = transaction.action === "noop" || transaction.action === "revokeAuthorization";
  if (!free && subaccounts !== "*" && !subaccounts.split(/[ ,]+/).includes(subaccount))
    return `${name} acts for subaccount ${subaccount} beyond grant ${grant}`;
  const { market } = transaction.payload as { market?: string };
  const markets = grants.markets[grant]!;
  if (market === undefined || market === "" || markets === "*" || markets.split(/[ ,]+/).includes(market))
    return undefined;
  return `${name} acts in ${market} beyond grant ${grant}`;
}

/** Follows the status of each grant. */
function note({ data, from, to, kinds }: Moment, statuses: Map<number, number>): void {
  if (!kinds.has(EVENT_CODES.authorizationGranted) && !kinds.has(EVENT_CODES.authorizationChanged)) return;
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
    if (data[at] === EVENT_CODES.authorizationGranted)
      statuses.set(data[at + AT.authorizationGranted.authorization]!, data[at + AT.authorizationGranted.status]!);
    else if (data[at] === EVENT_CODES.authorizationChanged)
      statuses.set(data[at + AT.authorizationChanged.authorization]!, data[at + AT.authorizationChanged.status]!);
  }
}
