import type { Genesis } from "../protocol/genesis.ts";
import type { LimitProfile } from "./limits/profiles.ts";
import { createSecret } from "./store/secret.ts";

/** What whoever runs a venue decides about its service; the venue's own rules are in its genesis. */
export interface ServiceConfig {
  /** What the network is for. Of a mainnet there is no faucet and no control. */
  readonly kind: "devnet" | "testnet" | "mainnet";
  /** Public addresses; undefined keeps the network closed. */
  readonly urls: { readonly rest: string; readonly websocket: string } | undefined;
  /** Who may read accounts, and subscribe to their channels. Default of streams: as of reads. */
  readonly accountReads: "public" | "session";
  readonly accountStreams: "public" | "session";
  readonly limits: LimitProfile;
  /** Claims of simulated collateral, where genesis allows them, too. */
  readonly faucet: boolean;
  /** Control under `/devnet`, where genesis allows it, too. */
  readonly devnet: boolean;
  /**
   * Secret with which cursors are marked; two servers of a network that share it take each other's. Default: another one
   * with every start. A venue on disk has one of its own (`openSecret`), so its cursors outlive a restart.
   */
  readonly cursorSecret: string;
  /** How much of the past is kept for lists. */
  readonly history: HistoryLimits;
}

/** Most records of each kind; the oldest go first. What is still open is always kept. */
export interface HistoryLimits {
  /** Blocks, and transactions in them, that are read when the service starts. */
  readonly blocks: number;
  readonly transactions: number;
  readonly closedOrders: number;
  readonly endedIntents: number;
  /** Of all markets together. */
  readonly trades: number;
  /** Of each market. */
  readonly fundingRates: number;
  readonly liquidations: number;
  readonly insuranceChanges: number;
}

export const HISTORY_LIMITS: HistoryLimits = {
  blocks: 20_000,
  transactions: 50_000,
  closedOrders: 100_000,
  endedIntents: 20_000,
  trades: 200_000,
  fundingRates: 2_000,
  liquidations: 10_000,
  insuranceChanges: 20_000,
};

export type ServiceOptions = Partial<Omit<ServiceConfig, "history">> & { readonly history?: Partial<HistoryLimits> };

/** The defaults of a local devnet, with what is given in their place. */
export function createConfig(genesis: Genesis, options: ServiceOptions = {}): ServiceConfig {
  const accounts = options.accountReads ?? (genesis.features.accountReads ? "public" : "session");
  if (accounts === "session" && options.accountStreams === "public") {
    throw new RangeError(
      "accountStreams: streams show what reads show; with accountReads `session` they are `session`",
    );
  }
  return {
    kind: "devnet",
    urls: undefined,
    accountReads: accounts,
    accountStreams: accounts,
    limits: "dev",
    faucet: genesis.features.faucet,
    devnet: false,
    cursorSecret: createSecret(),
    ...options,
    history: { ...HISTORY_LIMITS, ...options.history },
  };
}
