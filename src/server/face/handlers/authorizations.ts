import { NONE } from "../../../ground/collections/table.ts";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import { addressOf } from "../../../venue/reads/rows.ts";
import { notFound } from "../problems/problems.ts";
import { forReader, readAddress, readReader, requireSeen } from "../services/access.ts";
import { listGrants, viewAuthorization } from "../views/authorizations.ts";
import { listGrantParties } from "../views/participants.ts";
import type { HandlersOf } from "./handler.ts";
import { answerList, openList } from "./lists.ts";

export const authorizationHandlers = {
  listAuthorizations: (services, call) => {
    const { grants: pasts, state, ...scope } = services.history.read();
    const { query } = call;
    const reader = readReader(services, call.headers);
    const { authorizations, grants } = state;
    const owner = query.owner === undefined ? undefined : readAddress(query.owner, "query.owner");
    const agent = query.agent === undefined ? undefined : readAddress(query.agent, "query.agent");
    const status = query.status === undefined ? undefined : AUTHORIZATION_STATUSES.indexOf(query.status);
    const page = openList(services, call, scope);
    const list = listGrants(state).filter(
      (grant) =>
        (pasts.find(grant).granted ?? 0) <= page.pin &&
        reader.sees(...listGrantParties(state, grant)) &&
        (owner === undefined || addressOf(state, authorizations.account[grant]!) === owner) &&
        (agent === undefined || grants.agents[grant]! === agent) &&
        (status === undefined || authorizations.status[grant]! === status),
    );
    const answer = answerList(
      page,
      scope.asOf,
      list,
      (grant) => [grant],
      (grant) => viewAuthorization(state, grant, pasts),
    );
    return { ...answer, ...forReader(reader) };
  },

  getAuthorization: (services, { params, headers }) => {
    const { grants: pasts, state, asOf } = services.history.read();
    const reader = readReader(services, headers);
    const grant = state.grants.find(params.authId as `0x${string}`);
    requireSeen(reader, grant === NONE ? undefined : listGrantParties(state, grant), () =>
      notFound("No authorization has this id: it is the id of the transaction that granted it."),
    );
    return { status: 200, body: { data: viewAuthorization(state, grant, pasts), asOf }, ...forReader(reader) };
  },
} satisfies HandlersOf<"listAuthorizations" | "getAuthorization">;
