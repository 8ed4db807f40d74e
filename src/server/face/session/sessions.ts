import { createHash, randomBytes } from "node:crypto";
import { checksumAddress } from "../../../client/api/checksumAddress.ts";
import { formatSignIn } from "../../../client/api/signIn.ts";
import type { Address } from "../../../protocol/fields.ts";
import { isSignedBy } from "./personalMessage.ts";

/** Lifetimes and numbers of challenges and sessions. */
export interface SessionLimits {
  readonly challengeMs: number;
  /** Open challenges of one address and client; a new one replaces the oldest. */
  readonly challengesOfAddress: number;
  /** Open challenges; a new one replaces the oldest of the client with the most. */
  readonly challengesMost: number;
  /** Longest time from the start of a session to its end. */
  readonly sessionMs: number;
  /** Longest time without use. A use is a request, or a connection with a stream that it opened. */
  readonly idleMs: number;
  /** Sessions of one address at a time; the oldest ends. */
  readonly sessionsOfAddress: number;
  readonly sessionsMost: number;
}

export const SESSION_LIMITS: SessionLimits = {
  challengeMs: 5 * 60_000,
  challengesOfAddress: 10,
  challengesMost: 10_000,
  sessionMs: 12 * 3_600_000,
  idleMs: 3_600_000,
  sessionsOfAddress: 16,
  sessionsMost: 100_000,
};

export interface SessionOptions {
  /** Address of the venue, the domain of the message. Never taken from a request. */
  readonly origin: () => string;
  readonly chainId: number;
  readonly network: string;
  /** Milliseconds since 1970, for the written times only; lifetimes do not depend on it. */
  readonly now?: () => number;
  /** Milliseconds of a monotonic clock, for lifetimes. Default: that of the process. */
  readonly elapsed?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  readonly limits?: Partial<SessionLimits>;
}

export interface Challenge {
  readonly challengeId: string;
  readonly address: Address;
  /** The whole text to sign, byte for byte. */
  readonly message: string;
  readonly nonce: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export interface Session {
  readonly sessionId: string;
  readonly address: Address;
  readonly createdAtMs: number;
  /** Latest end; idleness ends it sooner. */
  readonly expiresAtMs: number;
}

/** The session of a token, or why it has none. */
export type FoundSession = Session | "unknown" | "expired" | "revoked";

interface Kept extends Session {
  /** By the clock of lifetimes. */
  readonly endsAt: number;
  usedAt: number;
  state: "active" | "expired" | "revoked";
}

interface OpenChallenge extends Challenge {
  /** Address and client. */
  readonly owner: string;
  readonly client: string;
  readonly endsAt: number;
}

/**
 * Wallet sessions (EIP-4361): a challenge, a signature over its text, a bearer token. The service writes and stores the
 * text, so that a client chooses neither its domain nor its nonce. A challenge opens one session. Every session has a
 * new token, of which only the hash is stored. A session reads, it never signs. Sessions do not outlive the process.
 */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #random: (bytes: number) => Uint8Array;
  readonly #challenges = new Map<string, OpenChallenge>();
  readonly #sessions = new Map<string, Kept>();
  readonly #byAddress = new Map<Address, Set<Kept>>();
  readonly #listeners = new Set<(session: Session) => void>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#limits = { ...SESSION_LIMITS, ...options.limits };
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#random = options.random ?? randomBytes;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** @param client keeps the challenges of clients apart: one client cannot replace another's for the same address */
  challenge(address: Address, client: string): Challenge {
    const { challengeMs, challengesOfAddress, challengesMost } = this.#limits;
    const issuedAtMs = this.#now();
    this.#dropOldChallenges(this.#elapsed());
    const owner = `${address}/${client}`;
    const own = [...this.#challenges.values()].filter((challenge) => challenge.owner === owner);
    if (own.length >= challengesOfAddress) this.#challenges.delete(own[0]!.challengeId);
    if (this.#challenges.size >= challengesMost) this.#challenges.delete(this.#challengeToDrop());

    const challengeId = this.#secret(16);
    const expiresAtMs = issuedAtMs + challengeMs;
    const nonce = Buffer.from(this.#random(16)).toString("hex");
    const { chainId, network } = this.#options;
    const { host, origin } = new URL(this.#options.origin());
    const message = formatSignIn({
      domain: host,
      address: checksumAddress(address),
      statement: `Open a session on ${network}. It can read this account and sign nothing.`,
      uri: origin,
      version: "1",
      chainId: String(chainId),
      nonce,
      issuedAt: new Date(issuedAtMs).toISOString(),
      expirationTime: new Date(expiresAtMs).toISOString(),
      requestId: challengeId,
      resources: ["urn:perplab:session:read"],
    });
    const challenge = { challengeId, address, message, nonce, issuedAtMs, expiresAtMs };
    this.#challenges.set(challengeId, { ...challenge, owner, client, endsAt: this.#elapsed() + challengeMs });
    return challenge;
  }

  /**
   * Opens a session for the address of a challenge. The first attempt uses the challenge up, whether it succeeds or
   * not.
   *
   * @returns undefined if the challenge is not open, or the signature is not the address's
   */
  async verify(
    challengeId: string,
    signature: Uint8Array,
  ): Promise<(Session & { readonly token: string }) | undefined> {
    const challenge = this.#challenges.get(challengeId);
    this.#challenges.delete(challengeId);
    if (challenge === undefined || challenge.endsAt <= this.#elapsed()) return undefined;
    if (!(await isSignedBy(challenge.message, signature, challenge.address))) return undefined;
    return this.#open(challenge.address);
  }

  /** The session of a token; using it resets its idle time. */
  find(token: string): FoundSession {
    const kept = this.#sessions.get(idOf(token));
    if (kept === undefined) return "unknown";
    this.#expire(kept, this.#elapsed());
    if (kept.state !== "active") return kept.state;
    kept.usedAt = this.#elapsed();
    return kept;
  }

  /** Whether a session is active, without using it. */
  isActive(sessionId: string): boolean {
    const kept = this.#sessions.get(sessionId);
    if (kept === undefined) return false;
    this.#expire(kept, this.#elapsed());
    return kept.state === "active";
  }

  /** Resets the idle time of a session, as its token does: a connection delivers the streams that it opened. */
  use(sessionId: string): void {
    const kept = this.#sessions.get(sessionId);
    if (kept !== undefined && this.isActive(sessionId)) kept.usedAt = this.#elapsed();
  }

  /** Milliseconds until a session ends at the latest; 0 for an ended or unknown one. */
  leftMs(sessionId: string): number {
    const kept = this.#sessions.get(sessionId);
    return kept?.state === "active" ? Math.max(0, kept.endsAt - this.#elapsed()) : 0;
  }

  /** Ends the session of a token. A second call has no effect. @returns false if no session ever had the token */
  revoke(token: string): boolean {
    const kept = this.#sessions.get(idOf(token));
    if (kept === undefined) return false;
    this.#expire(kept, this.#elapsed());
    if (kept.state === "active") this.#end(kept, "revoked");
    return true;
  }

  /** Calls the listener for every session that ends. */
  onEnd(listener: (session: Session) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #open(address: Address): Session & { readonly token: string } {
    const { sessionMs, sessionsOfAddress, sessionsMost } = this.#limits;
    const createdAtMs = this.#now();
    const openedAt = this.#elapsed();
    this.#dropOldSessions(openedAt);
    const own = this.#byAddress.get(address) ?? new Set<Kept>();
    this.#byAddress.set(address, own);
    if (own.size >= sessionsOfAddress) this.#end(own.values().next().value!, "revoked");
    if (this.#sessions.size >= sessionsMost) this.#forget(this.#sessions.values().next().value!);

    const token = this.#secret(32);
    const session = { sessionId: idOf(token), address, createdAtMs, expiresAtMs: createdAtMs + sessionMs };
    const kept: Kept = { ...session, endsAt: openedAt + sessionMs, usedAt: openedAt, state: "active" };
    this.#sessions.set(kept.sessionId, kept);
    own.add(kept);
    this.#byAddress.set(address, own);
    return { ...session, token };
  }

  #expire(kept: Kept, now: number): void {
    if (kept.state !== "active") return;
    if (now >= kept.endsAt || now >= kept.usedAt + this.#limits.idleMs) this.#end(kept, "expired");
  }

  /** Keeps an ended session until its latest end, so that its token differs from an unknown one. */
  #end(kept: Kept, state: "expired" | "revoked"): void {
    kept.state = state;
    const own = this.#byAddress.get(kept.address);
    own?.delete(kept);
    if (own?.size === 0) this.#byAddress.delete(kept.address);
    for (const listener of this.#listeners) listener(kept);
  }

  #forget(kept: Kept): void {
    if (kept.state === "active") this.#end(kept, "revoked");
    this.#sessions.delete(kept.sessionId);
  }

  /** Sessions are in order of creation, and all have the same lifetime. */
  #dropOldSessions(now: number): void {
    for (const kept of this.#sessions.values()) {
      if (kept.endsAt > now) return;
      this.#expire(kept, now);
      this.#sessions.delete(kept.sessionId);
    }
  }

  #dropOldChallenges(now: number): void {
    for (const { challengeId, endsAt } of this.#challenges.values()) {
      if (endsAt > now) return;
      this.#challenges.delete(challengeId);
    }
  }

  /** The oldest challenge of the client with the most, so that one client cannot displace the challenges of others. */
  #challengeToDrop(): string {
    const counts = new Map<string, number>();
    for (const { client } of this.#challenges.values()) counts.set(client, (counts.get(client) ?? 0) + 1);
    const most = Math.max(...counts.values());
    for (const { challengeId, client } of this.#challenges.values()) {
      if (counts.get(client) === most) return challengeId;
    }
    throw new RangeError("no challenge is open");
  }

  #secret(bytes: number): string {
    return Buffer.from(this.#random(bytes)).toString("base64url");
  }
}

/** Id of a token's session: a hash, which reveals nothing of the token and needs no constant-time comparison. */
function idOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url").slice(0, 22);
}
