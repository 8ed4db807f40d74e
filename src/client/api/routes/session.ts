import { defineRoute } from "../route.ts";
import { Challenge, ChallengeRequest, OpenedSession, VerificationRequest } from "../schemas/session.ts";

export const sessionRoutes = {
  createChallenge: defineRoute({
    method: "POST",
    path: "/session/challenges",
    tag: "session",
    summary: "Create a wallet session challenge",
    body: ChallengeRequest,
    responses: { 201: Challenge },
    weight: 1,
  }),
  verifyChallenge: defineRoute({
    method: "POST",
    path: "/session/verifications",
    tag: "session",
    summary: "Verify the challenge and create a session",
    description: "A challenge is used up by the first attempt, good or bad.",
    body: VerificationRequest,
    responses: { 201: OpenedSession },
    problems: ["UNAUTHORIZED"],
    weight: 5,
  }),
  revokeSession: defineRoute({
    method: "DELETE",
    path: "/session",
    tag: "session",
    summary: "Revoke the current session",
    description: "Revoking a session twice has the same effect as once.",
    responses: { 204: null },
    problems: ["SESSION_REQUIRED"],
    weight: 1,
  }),
} as const;
