import { EVENT_CODES } from "../../../protocol/events.ts";
import { AUTHORIZATION_STATUS } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

const { scheduled, active } = AUTHORIZATION_STATUS;

export const grantStatesGoForward = defineInvariant<Map<number, number>>({
  id: "grantStatesGoForward",
  sentence: "A grant goes from scheduled to active, and from either to its end. An ended grant never changes.",
  rules: ["AUT"],
  catalogue: ["T06"],
  when: "events",
  kinds: ["authorizationGranted", "authorizationChanged"],
  start: readStatuses,
  event(moment, at, statuses) {
    const { data } = moment;
    moment.met++;
    if (data[at] === EVENT_CODES.authorizationGranted) {
      const status = data[at + AT.authorizationGranted.status]!;
      const grant = data[at + AT.authorizationGranted.authorization]!;
      const isNew = !statuses.has(grant);
      statuses.set(grant, status);
      return isNew && (status === scheduled || status === active)
        ? undefined
        : `grant ${grant} begins with status ${status}`;
    }
    const grant = data[at + AT.authorizationChanged.authorization]!;
    const status = data[at + AT.authorizationChanged.status]!;
    const before = statuses.get(grant) ?? -1;
    statuses.set(grant, status);
    const forward =
      before === scheduled ? status !== scheduled : before === active && status !== scheduled && status !== active;
    return forward ? undefined : `grant ${grant} goes from status ${before} to ${status}`;
  },
});

/** Status of each grant, by row. */
export function readStatuses({ authorizations }: State): Map<number, number> {
  const statuses = new Map<number, number>();
  for (let row = 0 as never; row < authorizations.rows.high; row++) statuses.set(row, authorizations.status[row]!);
  return statuses;
}
