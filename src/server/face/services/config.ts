import type { Genesis } from "../../../protocol/genesis.ts";
import { HISTORY_LIMITS, type HistoryLimits } from "../../history/limits.ts";
import { createSecret } from "../../host/store/secret.ts";
import type { LimitProfile } from "../limits/profiles.ts";

/** Settings that the operator chooses for the service; the venue's own rules are in its genesis. */
export interface ServiceConfig {
  /** Purpose of the network. A mainnet has no faucet and no control. */
  readonly kind: "devnet" | "testnet" | "mainnet";
  /** Public addresses; undefined keeps the network closed. */
  readonly urls: { readonly rest: string; readonly websocket: string } | undefined;
  /** Access to accounts and to their channels. Default of streams: that of reads. */
  readonly accountReads: "public" | "session";
  readonly accountStreams: "public" | "session";
  readonly limits: LimitProfile;
  /** Enables claims of simulated collateral, if genesis allows them too. */
  readonly faucet: boolean;
  /** Enables control under `/devnet`, if genesis allows it too. */
  readonly devnet: boolean;
  /**
   * Secret that authenticates cursors; servers of a network that share it accept each other's cursors. Default: a new
   * one with every start. A venue on disk stores its own (`openSecret`), so its cursors outlive a restart.
   */
  readonly cursorSecret: string;
  /** Limits of the history that lists read. */
  readonly history: HistoryLimits;
}

export type ServiceOptions = Partial<Omit<ServiceConfig, "history">> & { readonly history?: Partial<HistoryLimits> };

/** The defaults of a local devnet, overridden by `options`. */
export function createConfig(genesis: Genesis, options: ServiceOptions = {}): ServiceConfig {
  const accounts = options.accountReads ?? (genesis.features.accountReads ? "public" : "session");
  if (accounts === "session" && options.accountStreams === "public") {
    throw new RangeError("accountStreams: with accountReads `session` streams must be `session`, too");
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
