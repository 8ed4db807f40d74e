import { setImmediate } from "node:timers";
import type { Genesis } from "../../protocol/genesis.ts";
import { computeGenesisHash } from "../../venue/engine/state/genesisHash.ts";
import { PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import { Chain } from "./chain.ts";
import { Keeper } from "./keeper.ts";
import { type HostOptions, KEEP_BLOCKS, KEY_MS } from "./options.ts";
import { RunningHost } from "./runningHost.ts";
import { loadSigningKit } from "./signingKit.ts";
import { DiskLedger } from "./store/diskLedger.ts";
import { StoreError } from "./store/errors.ts";
import type { OnFaultPoint } from "./store/faultPoints.ts";
import { openFolder, type StoreFiles } from "./store/files.ts";
import { lockFolder } from "./store/lock.ts";
import { findLoss, type Loss, lossOfForeignLog, refuseLoss } from "./store/missingBlocks.ts";
import { createLog, type LogBase, type OpenedLog, openLog } from "./store/openLog.ts";
import { replayStore } from "./store/replayStore.ts";
import { Snapshots } from "./store/snapshots.ts";

export interface StoreOptions {
  /** Folder of the store; created if it does not exist. */
  readonly directory: string;
  /** Size at which a segment of the log is closed and the next one begins. Default: 64 MiB. */
  readonly segmentBytes?: number;
  /** Step in which a file of the log grows. Default: 1 MiB. */
  readonly roomBytes?: number;
  /** Bytes of log between two saved states. Default: 64 MiB. */
  readonly snapshotBytes?: number;
  /** Number of decoded blocks in memory. Default: 1,000. */
  readonly cachedBlocks?: number;
  /** Called at the points where a test or a devnet may stop the service. */
  readonly onPoint?: OnFaultPoint;
  /** Replaces the machine's files, for tests; nothing is locked then. */
  readonly files?: StoreFiles;
  /** Wraps the folder of the store: for disk faults of a development venue. */
  readonly wrapFiles?: (files: StoreFiles) => StoreFiles;
  /**
   * Continue although the folder shows that blocks of the log are lost: from the newest whole state, or with the
   * remaining log. Default: such a folder is refused with STORE_CORRUPT.
   */
  readonly acceptLoss?: boolean;
  /**
   * Called with harmless warnings (a state that could not be written), with what was cut off a log, and with accepted
   * losses.
   */
  readonly onWarning?: (message: string) => void;
}

const MEBIBYTE = 1 << 20;

/** Options of a host on disk. The genesis may be left out if the folder has a chain. */
export type OpenOptions = Omit<HostOptions, "genesis"> & { readonly genesis?: Genesis } & StoreOptions;

/**
 * Opens the host of the chain in a folder, or begins one there. All acknowledged data is restored: blocks, pending
 * transactions in their order, and keys.
 *
 * @throws {StoreError}
 */
export async function openHost(options: OpenOptions): Promise<RunningHost> {
  const { directory, wrapFiles = (files: StoreFiles) => files } = options;
  const release = options.files === undefined ? lockFolder(directory) : () => {};
  try {
    const signing = options.signing ?? (await loadSigningKit());
    return await begin({ ...options, signing }, wrapFiles(options.files ?? openFolder(directory)), release);
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
  let loss: Loss | undefined;
  const found = openLog(files, logOptions, (end) => {
    if (end === undefined && isBegun(options, snapshots)) return;
    loss = findLoss(files, snapshots, end);
    if (loss !== undefined && options.acceptLoss !== true) refuseLoss(loss, files.path);
  });
  if (found !== undefined) requireSame(options, found.genesis, files);
  const left = loss === undefined ? undefined : stateLeft(options, found, snapshots);
  if (loss !== undefined) options.onWarning?.(`${files.path}: ${loss.reason}; accepted, to ${loss.consequence}`);
  if (found === undefined && left !== undefined) requireGenesis(options, left.from.state.genesis, files);
  const epoch = loss === undefined ? 0 : epochAfterLoss(options);
  const opened =
    found ?? createLog(files, ...(await prepare({ ...options, ...left }, files, snapshots, epoch)), logOptions);
  const { torn, index } = opened;
  if (torn !== undefined && torn.bytes > 0) {
    const kept = index.blocks.head === 0 ? "no block is in front of it" : `blocks up to ${index.blocks.head} are whole`;
    options.onWarning?.(`${torn.file}, byte ${torn.offset}: cut an unfinished tail of ${torn.bytes} bytes; ${kept}`);
  }
  const first = opened.log.segments()[0]!;
  // Segments are removed only below the blocks that are kept.
  if (first.number > 0 && first.start.height > index.blocks.head - keepBlocks) {
    options.onWarning?.(
      `${files.path}: the log begins with ${first.name}; blocks below ${index.oldestHeight} are missing`,
    );
  }
  const ledger = new DiskLedger(opened.log, opened.index, snapshots, {
    genesis: opened.genesis,
    keyMs,
    clock,
    cachedBlocks,
  });
  const foreign = ledger.foreignStates();
  if (foreign.length > 0) {
    const otherChain = lossOfForeignLog(foreign[0]!);
    if (options.acceptLoss !== true) {
      await ledger.close();
      refuseLoss(otherChain, files.path);
    }
    options.onWarning?.(`${files.path}: ${otherChain.reason}; accepted, to ${otherChain.consequence}`);
    for (const height of foreign) snapshots.remove(height);
  }
  if (found !== undefined && left !== undefined) {
    const { state, epoch } = left.from;
    ledger.load({ state, epoch: Math.max(index.epoch + 1, epoch) });
    await ledger.commit();
  } else if (found !== undefined && (loss !== undefined || foreign.length > 0)) {
    // Clients may know blocks that the log lacks. A new epoch reports to them that the chain changed.
    ledger.branch(index.blocks.head, Math.max(index.epoch + 1, epochAfterLoss(options)));
    await ledger.commit();
  }
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

/**
 * Prepares the start of a chain in a folder without one: at genesis, or with a given state, which must be on disk
 * first.
 *
 * @param epoch of a chain that begins at genesis
 */
async function prepare(
  { genesis, from }: OpenOptions,
  { path }: StoreFiles,
  snapshots: Snapshots,
  epoch: number,
): Promise<[Genesis, LogBase]> {
  if (from !== undefined) {
    const { state } = from;
    await snapshots.write(state);
    return [state.genesis, { height: state.height, epoch: from.epoch + 1 }];
  }
  if (genesis !== undefined) return [genesis, { height: 0, epoch }];
  throw new StoreError("STORE_FORMAT", "has no chain, and no genesis is given to begin one", { file: path });
}

/** A given state is on disk before its log: a start that was stopped between the two is no loss. */
function isBegun({ from }: OpenOptions, snapshots: Snapshots): boolean {
  return from !== undefined && snapshots.heights().every((height) => height === from.state.height);
}

/** The newest whole state above a log that has lost blocks; undefined for none. Damaged states are removed. */
function stateLeft(options: OpenOptions, found: OpenedLog | undefined, snapshots: Snapshots) {
  const highest = found?.index.highest ?? -1;
  const state = snapshots.readBelow(Number.MAX_SAFE_INTEGER, (height) => height > highest)?.state;
  const isSame = found === undefined || state === undefined || isSameGenesis(state.genesis, found.genesis);
  snapshots.removeAbove(isSame && state !== undefined ? state.height : highest);
  return isSame && state !== undefined ? { from: { state, epoch: epochAfterLoss(options) } } : undefined;
}

/** Reverts among the lost blocks have raised the epoch to an unknown number: seconds since 1970 are above it. */
function epochAfterLoss({ clock = Date.now }: OpenOptions): number {
  return Math.floor(clock() / 1_000);
}

function isSameGenesis(one: Genesis, other: Genesis): boolean {
  return computeGenesisHash(one) === computeGenesisHash(other);
}

function requireSame({ genesis, from }: OpenOptions, found: Genesis, { path }: StoreFiles): void {
  if (from !== undefined) {
    throw new StoreError("STORE_EXISTS", "already has a chain; a state cannot replace it", {
      file: path,
      hint: "leave the state out to continue the chain, or choose another folder",
    });
  }
  requireGenesis({ genesis }, found, { path });
}

function requireGenesis(
  { genesis }: { readonly genesis?: Genesis | undefined },
  found: Genesis,
  { path }: Pick<StoreFiles, "path">,
): void {
  if (genesis === undefined || isSameGenesis(genesis, found)) return;
  throw new StoreError("STORE_GENESIS", "holds the chain of another genesis", {
    file: path,
    hint: "leave the genesis out to continue it, or choose another folder",
  });
}
