import type { RatePolicy } from "./bucket.ts";

/** Who may ask how much. `off` lets everybody do everything, `dev` 50 times what `public` does. */
export const LIMIT_PROFILES = ["off", "dev", "public"] as const;
export type LimitProfile = (typeof LIMIT_PROFILES)[number];

export interface Limits {
  /** Requests by weight, of an address of the network. */
  readonly reads: RatePolicy | undefined;
  /** Submissions of an address of the network. */
  readonly submissions: RatePolicy | undefined;
  /** Submissions of a signer, counted only where the signature is his; actions that only cancel count in `cancels`. */
  readonly signer: RatePolicy | undefined;
  readonly cancels: RatePolicy | undefined;
  /** Challenges for a session, of an address of the network. */
  readonly challenges: RatePolicy | undefined;
  /** Claims of the faucet: of an address of the network, and of a receiving account. */
  readonly faucetClient: RatePolicy | undefined;
  readonly faucetAccount: RatePolicy | undefined;
  /** Connections of one address of the network at a time. */
  readonly connections: number;
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
  requestsOfConnection: 0,
};

/** The faucet of a development venue gives whatever is asked for. */
const DEV: Limits = {
  reads: widen(PUBLIC.reads!),
  submissions: widen(PUBLIC.submissions!),
  signer: widen(PUBLIC.signer!),
  cancels: widen(PUBLIC.cancels!),
  challenges: widen(PUBLIC.challenges!),
  faucetClient: undefined,
  faucetAccount: undefined,
  connections: PUBLIC.connections * 50,
  requestsOfConnection: 0,
};

function widen({ name, quota, windowMs }: RatePolicy): RatePolicy {
  return { name, quota: quota * 50, windowMs };
}

export const LIMITS: Readonly<Record<LimitProfile, Limits>> = { off: NONE, dev: DEV, public: PUBLIC };
