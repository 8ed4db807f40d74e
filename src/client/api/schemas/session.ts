import { type Static, Type } from "typebox";
import { address, addressParam, text, timeMs } from "./common.ts";

const strict = { additionalProperties: false } as const;

export const ChallengeRequest = Type.Object(
  { address: addressParam("The wallet that is to sign.") },
  { ...strict, $id: "ChallengeRequest" },
);

export const Challenge = Type.Object(
  {
    challengeId: text("Names the challenge."),
    message: text("Text to sign (EIP-4361), byte for byte, with `personal_sign`."),
    nonce: text("Its nonce."),
    issuedAtMs: timeMs("When it was made."),
    expiresAtMs: timeMs("Until when it can be answered, once."),
  },
  { $id: "Challenge", description: "What a wallet signs to open a session." },
);
export type Challenge = Static<typeof Challenge>;

export const VerificationRequest = Type.Object(
  {
    challengeId: Type.String({ minLength: 1, maxLength: 64, description: "The challenge." }),
    signature: Type.String({ pattern: "^0x[0-9a-fA-F]{130}$", description: "The wallet's signature: r, s, v." }),
  },
  { ...strict, $id: "VerificationRequest" },
);

export const OpenedSession = Type.Object(
  {
    token: text("Send it as `Authorization: Bearer <token>`. It is shown once, here."),
    tokenType: Type.Literal("Bearer"),
    sessionId: text("Names the session in logs; it is no secret."),
    address: address("Whose session it is."),
    createdAtMs: timeMs("When it began."),
    expiresAtMs: timeMs("When it ends; an hour without use ends it sooner. A stream that it opened is a use."),
  },
  { $id: "OpenedSession", description: "A session: it reads, it never signs." },
);
export type OpenedSession = Static<typeof OpenedSession>;
