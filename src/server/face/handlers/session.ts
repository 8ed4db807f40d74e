import { bytesOfHex } from "../../../protocol/codecHex.ts";
import { ProblemError } from "../problems/problems.ts";
import { readAddress, readToken } from "../services/access.ts";
import type { HandlersOf } from "./handler.ts";

export const sessionHandlers = {
  createChallenge: ({ sessions }, { body, client }) => {
    const { challengeId, message, nonce, issuedAtMs, expiresAtMs } = sessions.challenge(
      readAddress(body.address, "body.address"),
      client,
    );
    return { status: 201, body: { challengeId, message, nonce, issuedAtMs, expiresAtMs } };
  },

  verifyChallenge: async ({ sessions }, { body }) => {
    const { challengeId, signature } = body;
    const opened = await sessions.verify(challengeId, bytesOfHex(signature.toLowerCase() as `0x${string}`));
    if (opened === undefined) {
      // An unknown challenge, an expired one and a bad signature get the same answer, so that trying reveals nothing.
      const detail = "There is no such open challenge, or its address did not sign it; ask for a new one.";
      throw new ProblemError("UNAUTHORIZED", detail, { reason: "CHALLENGE_FAILED" });
    }
    const { token, sessionId, address, createdAtMs, expiresAtMs } = opened;
    return { status: 201, body: { token, tokenType: "Bearer", sessionId, address, createdAtMs, expiresAtMs } };
  },

  revokeSession: ({ sessions }, { headers }) => {
    const token = readToken(headers);
    if (token === undefined) {
      throw new ProblemError("SESSION_REQUIRED", "Send the token of the session that is to end.");
    }
    if (!sessions.revoke(token)) {
      throw new ProblemError("SESSION_REQUIRED", "No session has this token.", { reason: "SESSION_UNKNOWN" });
    }
    return { status: 204, body: undefined };
  },
} satisfies HandlersOf<"createChallenge" | "verifyChallenge" | "revokeSession">;
