import type { RatePolicy } from "./bucket.ts";

/** Rate limits. `off` limits no client, `dev` allows 50 times as much as `public`. */
export const LIMIT_PROFILES = ["off", "dev", "public"] as const;
export type LimitProfile = (typeof LIMIT_PROFILES)[number];

export interface Limits {
  /** Requests by weight, per network address. */
  readonly reads: RatePolicy | undefined;
  /** Submissions per network address. */
  readonly submissions: RatePolicy | undefined;
  /** Submissions per signer, counted only with a valid signature; actions that only cancel count in `cancels`. */
  readonly signer: RatePolicy | undefined;
  readonly cancels: RatePolicy | undefined;
  /** Challenges for a session, per network address. */
  readonly challenges: RatePolicy | undefined;
  /** Claims from the faucet: per network address, and per receiving account. */
  readonly faucetClient: RatePolicy | undefined;
  readonly faucetAccount: RatePolicy | undefined;
  /** Concurrent connections of one network address. */
  readonly connections: number;
  /** Requests of one network address without an answer. */
  readonly requestsInFlight: number;
  /** Requests that one connection may make; 0 for any number. */
  readonly requestsOfConnection: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

const PUBLIC: Limits = {
  reads: { name: "reads", quota: 1_200, windowMs: MINUTE },
  submissions: { name: "submissions", quota: 1_000, windowMs: 10_000 },
  signer: { name: "signer", quota: 200, windowMs: 4_000 },
  cancels: { name: "cancels", quota: 400, windowMs: 4_000 },
  challenges: { name: "challenges", quota: 60, windowMs: MINUTE },
  faucetClient: { name: "faucet", quota: 1, windowMs: MINUTE },
  faucetAccount: { name: "faucet-account", quota: 3, windowMs: DAY },
  connections: 64,
  requestsInFlight: 128,
  requestsOfConnection: 10_000,
};

const NONE: Limits = {
  reads: undefined,
  submissions: undefined,
  signer: undefined,
  cancels: undefined,
  challenges: undefined,
  faucetClient: undefined,
  faucetAccount: undefined,
  connections: Number.POSITIVE_INFINITY,
  requestsInFlight: Number.POSITIVE_INFINITY,
  requestsOfConnection: 0,
};

/** The faucet of a development venue has no limit. */
const DEV: Limits = {
  reads: widen(PUBLIC.reads!),
  submissions: widen(PUBLIC.submissions!),
  signer: widen(PUBLIC.signer!),
  cancels: widen(PUBLIC.cancels!),
  challenges: widen(PUBLIC.challenges!),
  faucetClient: undefined,
  faucetAccount: undefined,
  connections: PUBLIC.connections * 50,
  requestsInFlight: 1_024,
  requestsOfConnection: 0,
};

function widen({ name, quota, windowMs }: RatePolicy): RatePolicy {
  return { name, quota: quota * 50, windowMs };
}

export const LIMITS: Readonly<Record<LimitProfile, Limits>> = { off: NONE, dev: DEV, public: PUBLIC };
