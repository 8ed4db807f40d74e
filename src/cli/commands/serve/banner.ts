import type { DevelopmentAccount } from "../../../server/devnet/accounts.ts";
import { DEVELOPMENT_MNEMONIC } from "../../../server/devnet/accounts.ts";
import { DEVNET_PATH } from "../../../server/devnet/devnetRequestHandler.ts";
import { RPC_PATH } from "../../../server/devnet/rpc.ts";
import type { VenueServer } from "../../../server/face/server.ts";
import type { Colors } from "../../terminal.ts";

/** Facts about a served venue for programs: `--config-out`, and `--json`. */
export interface ServeConfig {
  readonly url: string;
  readonly restUrl: string;
  readonly socketUrl: string;
  /** Address of control; null where it is not served. */
  readonly controlUrl: string | null;
  /** For browser wallets. */
  readonly rpcUrl: string;
  readonly network: string;
  readonly chainId: number;
  readonly genesisHash: string;
  readonly height: number;
  readonly markets: readonly string[];
  /** Development accounts with a balance, with their keys. */
  readonly accounts: readonly DevelopmentAccount[];
  readonly mnemonic: string;
}

export function describeServer(server: VenueServer, accounts: readonly DevelopmentAccount[]): ServeConfig {
  const { host } = server.services;
  return {
    url: server.listener.url,
    restUrl: server.restUrl,
    socketUrl: server.socketUrl,
    controlUrl: server.services.config.devnet ? `${server.listener.url}${DEVNET_PATH}` : null,
    rpcUrl: `${server.listener.url}${RPC_PATH}`,
    network: host.genesis.network,
    chainId: host.domain.chainId,
    genesisHash: host.domain.genesisHash,
    height: host.state.height,
    markets: [...host.state.marketRows.keys()],
    accounts,
    mnemonic: DEVELOPMENT_MNEMONIC,
  };
}

export interface BannerMore {
  readonly balance: string;
  readonly blocks: string;
  readonly isLoopback: boolean;
  readonly readyMs: number;
}

/** The text for a person when the venue is up. */
export function formatBanner(config: ServeConfig, more: BannerMore, colors: Colors): string {
  const { bold, dim, yellow, green } = colors;
  const { balance, blocks, isLoopback, readyMs } = more;
  const accounts = config.accounts.map(
    ({ address, privateKey }, at) => `  ${dim(`(${at})`)} ${address}  ${dim(privateKey)}`,
  );
  const reach = isLoopback
    ? ""
    : " Every client that reaches this machine can use them: it listens on more than loopback.";
  return [
    `${bold("perplab")} ${config.network}`,
    "",
    `  REST       ${bold(config.restUrl)}`,
    `  WebSocket  ${config.socketUrl}`,
    ...(config.controlUrl === null ? [] : [`  Control    ${config.controlUrl}`]),
    `  Chain id   ${config.chainId}`,
    `  Genesis    ${config.genesisHash}`,
    `  Height     ${config.height}`,
    `  Markets    ${config.markets.join(", ") || "none"}`,
    `  Blocks     ${blocks}`,
    "",
    `Accounts, each with ${balance} USD (simulated), and their private keys:`,
    ...accounts,
    `  ${dim(`mnemonic: ${config.mnemonic}`)}`,
    "",
    yellow(`Warning: these keys are public. Never use them for accounts that hold value.${reach}`),
    "",
    green(`Listening on ${config.url}, ready in ${Math.round(readyMs)} ms. Ctrl-C ends it.`),
  ].join("\n");
}
