import { existsSync, statSync } from "node:fs";
import type { GenesisInit } from "../../../protocol/genesis.ts";
import { genesisOfRecording, pricesOfOthers, type Recording } from "../../../server/devnet/feed/recording.ts";
import { createIdentity, type VenueIdentity } from "../../../server/devnet/identity.ts";
import { createDevnetGenesis, DEVNET_PRICES } from "../../../server/devnet/venue.ts";
import type { LimitProfile } from "../../../server/face/limits/profiles.ts";
import type { LogLevel } from "../../../server/face/monitoring/log.ts";
import type { BlockMode, HostOptions } from "../../../server/host/options.ts";
import { usageError } from "../../fail.ts";
import { readPairs, tooLarge } from "../../values.ts";
import { reserveFiles } from "../../writeFile.ts";
import type { RecordedOptions } from "./recorded.ts";
import type { StateFiles } from "./stateFiles.ts";

export const BLOCK_MODES = ["auto", "interval", "manual", "batch"] as const;

export interface ServeOptions extends StateFiles, RecordedOptions {
  readonly port: number;
  readonly host: string;
  readonly accounts: number;
  readonly balance: string;
  readonly genesis?: string;
  readonly chainId?: number;
  readonly network?: string;
  readonly networkSalt?: string;
  readonly price?: readonly string[];
  readonly mode?: (typeof BLOCK_MODES)[number];
  readonly blockTime?: number;
  readonly batch?: number;
  readonly blockStep?: number;
  readonly store?: string;
  readonly control?: boolean;
  readonly adminToken?: string;
  readonly makers: number;
  readonly seed: number;
  readonly limits: LimitProfile;
  readonly acceptLoss?: boolean;
  readonly accountReads?: "public" | "session";
  readonly cors?: readonly string[];
  readonly behindProxy?: boolean;
  readonly publicUrl?: string;
  readonly configOut?: string;
  readonly log: LogLevel;
  readonly silent?: boolean;
  readonly check?: boolean;
}

/** When blocks are made, by the options for it. */
export function readBlockMode({ mode, blockTime, batch }: ServeOptions): BlockMode {
  const wanted = mode ?? (blockTime !== undefined ? "interval" : batch !== undefined ? "batch" : "auto");
  if (blockTime !== undefined && wanted !== "interval") throw conflict("--block-time", "interval");
  if (batch !== undefined && wanted !== "batch") throw conflict("--batch", "batch");
  switch (wanted) {
    case "interval":
      return { mode: "interval", everyMs: blockTime ?? 1_000 };
    case "batch":
      if (batch === undefined)
        throw usageError("OPTION_MISSING", "the number of transactions of a block is missing", { place: "--batch" });
      return { mode: "batch", size: batch };
    default:
      return { mode: wanted };
  }
}

function conflict(option: string, mode: string) {
  return usageError("OPTION_INVALID", `goes with --mode ${mode} only`, { place: option });
}

/**
 * Checks the options as far as possible without the venue and its recording, and that the files of the end can be
 * written.
 *
 * @throws {CliError} OPTION_INVALID, GENESIS_INVALID, FILE_EXISTS, FILE_EXPECTED, FOLDER_EXPECTED
 */
export async function checkServeOptions(options: ServeOptions, genesis: string | undefined): Promise<void> {
  readBlockMode(options);
  checkBalance(options.balance);
  readPrices(options, undefined);
  if (genesis !== undefined) readGenesis(genesis, options.genesis!);
  const { blockLog, configOut, dumpState, state } = options;
  if (blockLog !== undefined && existsSync(blockLog) && !statSync(blockLog).isDirectory()) {
    throw usageError("FILE_EXISTS", "it exists already", {
      place: blockLog,
      hint: "name a file that does not exist yet",
    });
  }
  await reserveFiles([blockLog, configOut, dumpState, state].filter((path) => path !== undefined));
}

function checkBalance(balance: string): void {
  if (/^(0|[1-9]\d{0,8})(\.\d{0,5}[1-9])?$/.test(balance)) return;
  if (/^\d{10,}$/.test(balance)) throw tooLarge("--balance", balance, 999_999_999);
  throw usageError("OPTION_INVALID", `${JSON.stringify(balance)} is no amount in USD`, {
    place: "--balance",
    hint: "for example 100000",
  });
}

/**
 * Options of the host, with the genesis that the options describe.
 *
 * @param text of the file that `--genesis` names
 * @param recording whose markets and time the venue has
 */
export function readHostOptions(
  options: ServeOptions,
  text: string | undefined,
  recording: Recording | undefined,
): HostOptions {
  const { accounts, balance, chainId, network, blockStep } = options;
  const read = text === undefined ? {} : readGenesis(text, options.genesis!);
  const given = recording === undefined ? read : genesisOfRecording(recording, read);
  // Blocks between two of a recording come directly after the first, or after the option's step from when it plays.
  const stepMs = recording === undefined ? blockStep : 1;
  const { salt, epoch } = readIdentity(options);
  const genesis = createDevnetGenesis({
    salt,
    accounts,
    balance,
    genesis: {
      ...given,
      ...(chainId === undefined ? {} : { chainId }),
      ...(network === undefined ? {} : { network }),
      ...(options.networkSalt === undefined || salt === undefined ? {} : { salt }),
    },
  });
  return {
    genesis,
    epoch,
    blocks: readBlockMode(options),
    time: stepMs === undefined ? { kind: "wall" } : { kind: "step", stepMs },
  };
}

/**
 * The administrator's token, as a bearer can carry it.
 *
 * @throws {CliError} OPTION_INVALID for one that no request can carry, so that control would be out of reach
 */
export function readAdminToken({ adminToken }: Pick<ServeOptions, "adminToken">): string | undefined {
  if (adminToken === undefined || /^[!-~]{1,256}$/.test(adminToken)) return adminToken;
  throw usageError("OPTION_INVALID", adminToken === "" ? "is empty" : "is no token that a request can carry", {
    place: "--admin-token",
    hint: "1 to 256 visible ASCII characters without spaces",
  });
}

/**
 * Identity of the venue: a random one where it is kept in memory, unless `--network-salt` fixes it. A venue on disk is
 * the same at every start, so only the option gives it a salt.
 */
function readIdentity({ networkSalt, store }: ServeOptions): VenueIdentity {
  if (networkSalt !== undefined && !/^[A-Za-z0-9._-]{0,64}$/.test(networkSalt)) {
    throw usageError("OPTION_INVALID", "is no salt", {
      place: "--network-salt",
      hint: "at most 64 letters, digits, dots, underscores and hyphens",
    });
  }
  return createIdentity(store === undefined ? networkSalt : (networkSalt ?? ""));
}

function readGenesis(text: string, path: string): GenesisInit {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, with the same words.
  }
  throw usageError("GENESIS_INVALID", "is no JSON object", {
    place: path,
    hint: "see docs/spec/network.md for its fields",
  });
}

/** Prices that markets begin with: those of development, where none are recorded, and of `--price`. */
export function readPrices({ price = [] }: ServeOptions, recording: Recording | undefined): Record<string, string> {
  const given = readPairs("--price", price);
  for (const [name, text] of Object.entries(given)) {
    if (!/^(0|[1-9]\d{0,8})(\.\d{0,7}[1-9])?$/.test(text) || text === "0") {
      throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is no price`, { place: `--price ${name}` });
    }
  }
  return { ...(recording === undefined ? DEVNET_PRICES : pricesOfOthers(recording)), ...given };
}
