import { setImmediate } from "node:timers";
import { computeGenesisHash } from "../../engine/genesisHash.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import { PendingPool } from "../../simulation/pool/pendingPool.ts";
import { DiskLedger } from "../store/diskLedger.ts";
import { StoreError } from "../store/errors.ts";
import type { OnFaultPoint } from "../store/faultPoints.ts";
import { openFolder, type StoreFiles } from "../store/files.ts";
import { lockFolder } from "../store/lock.ts";
import { createLog, type LogBase, openLog } from "../store/openLog.ts";
import { replayStore } from "../store/replayStore.ts";
import { Snapshots } from "../store/snapshots.ts";
import { Chain } from "./chain.ts";
import { Keeper } from "./keeper.ts";
import { type HostOptions, KEEP_BLOCKS, KEY_MS } from "./options.ts";
import { RunningHost } from "./runningHost.ts";
import { loadSigningKit } from "./signingKit.ts";

export interface StoreOptions {
  /** Folder of the store; created where there is none. */
  readonly directory: string;
  /** A part of the log that has grown to this is followed by another. Default: 64 MiB. */
  readonly segmentBytes?: number;
  /** By so much a file of the log grows at a time. Default: 1 MiB. */
  readonly roomBytes?: number;
  /** Bytes of log between two states that are written. Default: 64 MiB. */
  readonly snapshotBytes?: number;
  /** Blocks that are kept decoded. Default: 1,000. */
  readonly cachedBlocks?: number;
  /** Called where a test or a devnet may stop the service. */
  readonly onPoint?: OnFaultPoint;
  /** Instead of the machine's, for tests; nothing is locked then. */
  readonly files?: StoreFiles;
  /** What stands between the store and its folder: faults of a development venue. */
  readonly aroundFiles?: (files: StoreFiles) => StoreFiles;
  /** Hears of what went wrong and costs nothing but time: a state that could not be written. */
  readonly onWarning?: (message: string) => void;
}

const MEBIBYTE = 1 << 20;

/** Options of a host on disk. The genesis may be left out where the folder has a chain. */
export type OpenOptions = Omit<HostOptions, "genesis"> & { readonly genesis?: Genesis } & StoreOptions;

/**
 * Opens the host whose chain a folder has, or begins one there. What was acknowledged is there again: blocks, what waits
 * for one, in its order, and the keys.
 *
 * @throws {StoreError}
 */
export async function openHost(options: OpenOptions): Promise<RunningHost> {
  const { directory, aroundFiles = (files: StoreFiles) => files } = options;
  const release = options.files === undefined ? lockFolder(directory) : () => {};
  try {
    const signing = options.signing ?? (await loadSigningKit());
    return await begin({ ...options, signing }, aroundFiles(options.files ?? openFolder(directory)), release);
  } catch (error) {
    release();
    throw error;
  }
}

async function begin(options: OpenOptions, files: StoreFiles, release: () => void): Promise<RunningHost> {
  const { keyMs = KEY_MS, clock = Date.now, keepBlocks = KEEP_BLOCKS, cachedBlocks = 1000, onPoint } = options;
  const { segmentBytes = 64 * MEBIBYTE, snapshotBytes = 64 * MEBIBYTE } = options;
  const { roomBytes = MEBIBYTE } = options;
  const logOptions = { segmentBytes, roomBytes, ...(onPoint === undefined ? {} : { onPoint }) };
  const snapshots = new Snapshots(files, onPoint);
  const found = openLog(files, logOptions);
  if (found !== undefined) requireSame(options, found.genesis, files);
  const opened = found ?? createLog(files, ...(await prepare(options, files, snapshots)), logOptions);
  const ledger = new DiskLedger(opened.log, opened.index, snapshots, {
    genesis: opened.genesis,
    keyMs,
    clock,
    cachedBlocks,
  });
  const state = replayStore(ledger);
  const hostOptions: HostOptions = { ...options, genesis: opened.genesis };
  const chain = new Chain(hostOptions, state, new PendingPool(options.pool), ledger, opened.index.epoch);
  chain.resume([...ledger.pending()], ledger.decided(state.height + 1));
  const keeper = new Keeper(ledger, snapshots, { snapshotBytes, keepBlocks, keyMs, clock }, options.onWarning);
  return new RunningHost(hostOptions, chain, setImmediate, {
    onPoint,
    afterBlock: (state) => keeper.afterBlock(state),
    afterLeave: (height) => keeper.afterLeave(height),
    async close(state) {
      await keeper.close(state);
      release();
    },
  });
}

/** Where a chain begins in a folder that has none: at genesis, or with a state that is given and must be on disk first. */
async function prepare(
  { genesis, from }: OpenOptions,
  { path }: StoreFiles,
  snapshots: Snapshots,
): Promise<[Genesis, LogBase]> {
  if (from !== undefined) {
    const { state, epoch } = from;
    await snapshots.write(state);
    return [state.genesis, { height: state.height, epoch: epoch + 1 }];
  }
  if (genesis !== undefined) return [genesis, { height: 0, epoch: 0 }];
  throw new StoreError("STORE_FORMAT", "has no chain, and no genesis is given to begin one", { file: path });
}

function requireSame({ genesis, from }: OpenOptions, found: Genesis, { path }: StoreFiles): void {
  if (from !== undefined) {
    throw new StoreError("STORE_EXISTS", "has a chain already; a state cannot be loaded over it", {
      file: path,
      hint: "leave the state out to go on with the chain, or choose another folder",
    });
  }
  if (genesis === undefined || computeGenesisHash(genesis) === computeGenesisHash(found)) return;
  throw new StoreError("STORE_GENESIS", "holds the chain of another genesis", {
    file: path,
    hint: "leave the genesis out to go on with it, or choose another folder",
  });
}
