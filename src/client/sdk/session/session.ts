import { findSignInFault, parseSignIn, type SignInExpectation } from "../../api/signIn.ts";
import type { ClientActor, ClientCore } from "../core.ts";
import { ClientError } from "../errors.ts";
import { call } from "../operations/operation.ts";

/** A wallet session: it reads what is the account's own, and signs nothing. */
export interface Session {
  readonly sessionId: string;
  readonly address: string;
  readonly expiresAtMs: number;
}

/**
 * Opens a wallet session: has the venue's challenge signed, once it is seen to be for this account and network, and sends
 * the session's token with every request from then on, and over the connection of the streams. It then looks again for
 * the outcome of each submission that the venue did not show without a session.
 *
 * @throws {ClientError} ACCOUNT_MISSING, SIGNATURE_INVALID where the challenge is not what should be signed, or the account
 * signs no texts
 * @throws {VenueError} UNAUTHORIZED
 */
export async function signIn(core: ClientCore, who: ClientActor): Promise<Session> {
  const { account } = who.resolve("a session");
  const { address } = account;
  const refuse = (fault: string, text: string) =>
    new ClientError("SIGNATURE_INVALID", text, { signer: address, fault });
  if (account.signMessage === undefined) {
    throw refuse("NO_TEXTS", `${address} signs no texts: make the account with signMessage`);
  }
  const { identity } = await core.network.check();
  const { challengeId, message } = await call(core, "createChallenge", { body: { address } });
  const fault = findFault(message, { address, chainId: String(identity.chainId) });
  if (fault !== undefined) throw refuse(fault, `the challenge is not for this account and network: ${fault}`);
  const signature = await account.signMessage({ message });
  const opened = await call(core, "verifyChallenge", { body: { challengeId, signature } });
  core.sessionToken = opened.token;
  core.streams.authenticate();
  // If the outbox cannot be read, the next action fails with that error.
  await core.recover(true).catch(() => undefined);
  return { sessionId: opened.sessionId, address: opened.address, expiresAtMs: opened.expiresAtMs };
}

/** Ends the session. */
export async function signOut(core: ClientCore): Promise<void> {
  if (core.sessionToken === undefined) return;
  await call(core, "revokeSession");
  core.sessionToken = undefined;
}

/** The first member of a challenge that a wallet should not sign; undefined where all are in order. */
function findFault(text: string, expected: SignInExpectation): string | undefined {
  try {
    return findSignInFault(parseSignIn(text), expected);
  } catch {
    // It is no message of the standard at all.
    return "message";
  }
}
