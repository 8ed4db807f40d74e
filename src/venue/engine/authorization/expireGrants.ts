import { AUTHORIZATION_STATUS } from "../../../protocol/words.ts";
import type { AuthorizationRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { setGrantStatus } from "./limits.ts";

/**
 * Grants whose time has come: scheduled ones that now hold, and those that end (AUT, BLK-4), in the order of granting.
 * Cost: a comparison in most blocks, once per grant where one is due.
 */
export function expireGrants(state: State): void {
  const { authorizations, grants, timeMs } = state;
  if (timeMs < grants.due) return;
  grants.due = Number.POSITIVE_INFINITY;
  const high = authorizations.rows.high;
  for (let grant = 0 as AuthorizationRow; grant < high; grant++) {
    if (authorizations.status[grant] > AUTHORIZATION_STATUS.active) continue;
    if (authorizations.expiresAt[grant] <= timeMs) {
      setGrantStatus(state, grant, AUTHORIZATION_STATUS.expired);
      continue;
    }
    if (authorizations.status[grant] === AUTHORIZATION_STATUS.scheduled && authorizations.validFrom[grant] <= timeMs) {
      setGrantStatus(state, grant, AUTHORIZATION_STATUS.active);
    }
    noteDue(state, grant);
  }
}

/** Remembers when a scheduled or active grant is due for its next check. */
export function noteDue({ authorizations, grants }: State, grant: AuthorizationRow): void {
  const scheduled = authorizations.status[grant] === AUTHORIZATION_STATUS.scheduled;
  const due = scheduled ? authorizations.validFrom[grant] : authorizations.expiresAt[grant];
  if (due < grants.due) grants.due = due;
}
