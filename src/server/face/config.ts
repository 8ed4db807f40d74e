import type { Genesis } from "../../protocol/genesis.ts";
import { HISTORY_LIMITS, type HistoryLimits } from "../history/limits.ts";
import { createSecret } from "../host/store/secret.ts";
import type { LimitProfile } from "./limits/profiles.ts";

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
