import { findSignInFault, parseSignIn, type SignInExpectation } from "../../api/signIn.ts";
import type { ClientActor, ClientCore } from "../core.ts";
import { ClientError } from "../errors.ts";
import { call } from "../operations/operation.ts";

/** A wallet session: it may read the account's own resources, and signs nothing. */
export interface Session {
  readonly sessionId: string;
  readonly address: string;
  readonly expiresAtMs: number;
}

/**
 * Opens a wallet session. The account signs the venue's challenge, after a check that it is for this account and
 * network. Every later request and the stream connection carry the session's token. Then the client looks again for
 * outcomes that the venue did not show without a session.
 *
 * @throws {ClientError} ACCOUNT_MISSING; SIGNATURE_INVALID if the challenge must not be signed, or the account signs no
 * texts
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

/** The first member of a challenge that a wallet must not sign; undefined if all are valid. */
function findFault(text: string, expected: SignInExpectation): string | undefined {
  try {
    return findSignInFault(parseSignIn(text), expected);
  } catch {
    // The text is not a message of the standard.
    return "message";
  }
}
