import { Type } from "typebox";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import { defineRoute } from "../route.ts";
import { Authorization } from "../schemas/authorizations.ts";
import { addressParam, hashParam, paged, pageQuery, single, word } from "../schemas/common.ts";

export const authorizationRoutes = {
  listAuthorizations: defineRoute({
    method: "GET",
    path: "/authorizations",
    tag: "authorizations",
    summary: "Authorizations, newest first",
    description: "Where accounts are read by session: those of the reader as owner or agent.",
    query: Type.Object({
      owner: Type.Optional(addressParam("Only those that this owner granted.")),
      agent: Type.Optional(addressParam("Only those for this agent.")),
      status: Type.Optional(word(AUTHORIZATION_STATUSES, "Only those in this state.")),
      ...pageQuery,
    }),
    responses: { 200: paged(Authorization) },
    problems: ["SESSION_REQUIRED", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  getAuthorization: defineRoute({
    method: "GET",
    path: "/authorizations/{authId}",
    tag: "authorizations",
    summary: "Authorization detail",
    description: "Where accounts are read by session: for its owner and its agent.",
    params: Type.Object({ authId: hashParam("Id: that of the transaction that granted it.") }),
    responses: { 200: single(Authorization) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND"],
    weight: 2,
  }),
} as const;
