import { setImmediate } from "node:timers/promises";
import { describeVerification } from "../../../client/signing/verify.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeRoot, getHead } from "../../engine/commitment/root.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { State } from "../../engine/state/state.ts";
import type { SealedBlock } from "../observer.ts";
import { openSignatures, type Signatures } from "../signatures.ts";
import { Simulation } from "../simulation.ts";
import { LogError } from "./errors.ts";
import { checksumOfEvents } from "./format.ts";
import { BlockLogReader, type BlockRecord, type RootRecord, type TornTail } from "./readBlockLog.ts";

export interface VerifyProgress {
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly height: number;
}

export interface VerifyOptions {
  /** A venue restored from a snapshot: blocks up to its height are passed over. Default: from genesis. */
  readonly from?: State;
  /** `verify` checks the signatures that the log keeps, `elide` takes its verdicts. Default: `verify`. */
  readonly signatures?: "verify" | "elide";
  readonly onProgress?: (progress: VerifyProgress) => void;
}

/** What a replay of a log has shown. */
export interface VerifiedLog {
  readonly height: number;
  readonly timeMs: number;
  readonly blocks: number;
  readonly transactions: number;
  /** Recorded heads, roots and signatures that were compared, each found equal. */
  readonly heads: number;
  readonly roots: number;
  readonly signatures: number;
  readonly root: Bytes32;
  readonly head: Bytes32;
  /** An unfinished last record; undefined where the log ends with a whole one. */
  readonly torn: TornTail | undefined;
}

/** Blocks between two reports of progress, at which timers and signals get a turn. */
const PROGRESS_BLOCKS = 2_000;

/**
 * Replays a block log and compares the events of every block and the recorded heads of the effects chain. It also
 * compares the state root at checkpoints and at the end.
 *
 * @throws {LogError} LOG_DIFFERS with the first height that does; LOG_CORRUPT, LOG_VERSION and the like
 */
export async function verifyLog(path: string, options: VerifyOptions = {}): Promise<VerifiedLog> {
  const reader = new BlockLogReader(path);
  try {
    const state = options.from ?? createVenue(reader.genesis);
    const signatures = options.signatures === "elide" ? undefined : await openSignatures(reader.genesis);
    const replay = new Replay(path, state, signatures);
    const start = state.height;
    for (let record = reader.next(); record !== undefined; record = reader.next()) {
      if (record.kind === "root") replay.compareRoot(record);
      else if (record.block.height > start) replay.applyBlock(record);
      if (replay.blocks % PROGRESS_BLOCKS !== 0 || record.kind === "root") continue;
      options.onProgress?.({ bytesDone: reader.offset, bytesTotal: reader.bytes, height: state.height });
      await setImmediate();
    }
    options.onProgress?.({ bytesDone: reader.bytes, bytesTotal: reader.bytes, height: state.height });
    return { ...replay.result(), torn: reader.torn };
  } finally {
    reader.close();
  }
}

/**
 * The venue as a log left it at a height: an independent venue, to be read or to continue from in another way.
 *
 * @param height default: the last whole block
 * @throws {LogError} LOG_HEIGHT where the log does not reach the height
 */
export function replayLog(path: string, height = Number.POSITIVE_INFINITY): State {
  const reader = new BlockLogReader(path);
  try {
    const state = createVenue(reader.genesis);
    const replay = new Replay(path, state, undefined);
    for (const record of reader) {
      if (record.kind === "block" && record.block.height <= height) replay.applyBlock(record);
      if (state.height >= height) return state;
    }
    if (height !== Number.POSITIVE_INFINITY) {
      throw new LogError("LOG_HEIGHT", `ends at height ${state.height}, before ${height}`, {
        file: path,
        hint: "use a height that the log has",
      });
    }
    return state;
  } finally {
    reader.close();
  }
}

class Replay {
  readonly #path: string;
  readonly #simulation: Simulation;
  readonly #signatures: Signatures | undefined;
  #heads = 0;
  #roots = 0;
  #verified = 0;

  constructor(path: string, state: State, signatures: Signatures | undefined) {
    this.#path = path;
    this.#simulation = new Simulation(state);
    this.#signatures = signatures;
  }

  get blocks(): number {
    return this.#simulation.blocks;
  }

  applyBlock({ block, effects, head, offset }: BlockRecord): void {
    this.#verifySignatures(block, offset);
    const { state } = this.#simulation;
    const result = this.#apply(block, offset);
    if (checksumOfEvents(result.events, result.from, result.to) !== effects) {
      throw this.#differs(block.height, offset, "the replay emits different events");
    }
    if (head === undefined) return;
    if (getHead(state) !== head) throw this.#differs(block.height, offset, "the head of the effects chain differs");
    this.#heads++;
  }

  compareRoot({ height, root, offset }: RootRecord): void {
    const { state } = this.#simulation;
    // Roots before the snapshot from which the replay started cannot be compared.
    if (height !== state.height) return;
    if (computeRoot(state) !== root) throw this.#differs(height, offset, "the state root differs");
    this.#roots++;
  }

  result(): Omit<VerifiedLog, "torn"> {
    const { state, blocks, transactions } = this.#simulation;
    return {
      height: state.height,
      timeMs: state.timeMs,
      blocks,
      transactions,
      heads: this.#heads,
      roots: this.#roots,
      signatures: this.#verified,
      root: computeRoot(state),
      head: getHead(state),
    };
  }

  #apply(block: SealedBlock, offset: number) {
    try {
      return this.#simulation.apply(block);
    } catch (cause) {
      throw this.#differs(block.height, offset, `the block is refused (${(cause as Error).message})`, cause);
    }
  }

  #verifySignatures({ height, transactions, signatures }: SealedBlock, offset: number): void {
    if (this.#signatures === undefined || signatures === undefined) return;
    for (const [at, transaction] of transactions.entries()) {
      const signature = signatures[at];
      if (signature === undefined) continue;
      const found = this.#signatures.verify({ transaction, signature });
      this.#verified++;
      if (found.verdict === transaction.verdict) continue;
      throw new LogError("LOG_SIGNATURE", `transaction ${at}: ${describeVerification(found)}`, {
        file: this.#path,
        height,
        offset,
        hint: "the builder of this block recorded another verdict for this signature",
      });
    }
  }

  #differs(height: number, offset: number, reason: string, cause?: unknown): LogError {
    return new LogError("LOG_DIFFERS", reason, {
      file: this.#path,
      height,
      offset,
      hint: "the log was changed, or it was written by a build with other results",
      cause,
    });
  }
}
