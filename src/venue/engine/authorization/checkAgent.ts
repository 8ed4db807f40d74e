import { NONE } from "../../../ground/collections/table.ts";
import type { InvalidCode } from "../../../protocol/rejections.ts";
import type { TxHeader } from "../../../protocol/transaction.ts";
import { AUTHORIZATION_STATUS } from "../../../protocol/words.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

const REFUSALS: Readonly<Record<number, InvalidCode>> = {
  [AUTHORIZATION_STATUS.scheduled]: "AUTHORIZATION_NOT_YET_VALID",
  [AUTHORIZATION_STATUS.expired]: "AUTHORIZATION_EXPIRED",
  [AUTHORIZATION_STATUS.revoked]: "AUTHORIZATION_REVOKED",
  [AUTHORIZATION_STATUS.exhausted]: "AUTHORIZATION_EXHAUSTED",
};

/**
 * Whether a signer that is not the owner may act for an account at all: its grant exists, is its own, and holds (AUT).
 */
export function checkAgent(state: State, header: TxHeader, account: AccountRow): InvalidCode | undefined {
  const { authorizations, accounts, grants } = state;
  const grant = grants.find(header.authorization);
  if (grant === NONE) return "AUTHORIZATION_MISSING";
  const owner = accounts.owner[authorizations.account[grant]];
  if (owner !== accounts.owner[account] || grants.agents[grant] !== header.signer) return "AUTHORIZATION_FOREIGN";
  return REFUSALS[authorizations.status[grant]];
}
