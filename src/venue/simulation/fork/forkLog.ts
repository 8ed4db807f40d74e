import { ACTION_CODES } from "../../../protocol/actions/index.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../engine/applyBlock.ts";
import { isSystem } from "../../engine/authorization/admission.ts";
import { type ForkChange, type ForkVenue, forkVenue } from "../../engine/forkRecord.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { State } from "../../engine/state/state.ts";
import { LogError } from "../log/errors.ts";
import { BlockLogReader } from "../log/readBlockLog.ts";
import type { Observer, SealedBlock } from "../observer.ts";
import { Simulation } from "../simulation.ts";
import { consumptionOf } from "./consumption.ts";
import { type Entry, LaneNonces } from "./laneNonces.ts";
import { Translator } from "./translate.ts";

/** A transaction added to a fork, in addition to the recorded ones. */
export interface Injection {
  /** Its block. It follows the recorded ones there; system transactions come before users' ones. */
  readonly height: number;
  /** Makes the transaction for the venue as it is before the block; the fork gives it its nonce. */
  make(fork: State): Transaction;
}

export interface ForkOptions {
  /** The last block that both venues share; 0 for genesis. */
  readonly at: number;
  readonly changes?: readonly ForkChange[];
  readonly venue?: ForkVenue;
  readonly inject?: readonly Injection[];
  /** Observers of the recorded venue, as of the fork, from the block after `at` on. */
  readonly observeBase?: readonly Observer[];
  readonly observeFork?: readonly Observer[];
  /** Called now and then with bytes of the log that were read. */
  readonly onProgress?: (bytesDone: number, bytesTotal: number, height: number) => void;
}

/** Both venues at the end of the log. */
export interface Forked {
  readonly base: State;
  readonly fork: State;
  /** Injected transactions with their outcome. */
  readonly injected: readonly InjectedReceipt[];
}

export interface InjectedReceipt {
  readonly height: number;
  readonly index: number;
  readonly action: string;
  readonly status: "applied" | "rejected" | "invalid";
  readonly code?: string;
  readonly numbers?: Readonly<Record<string, number | string>>;
}

const PROGRESS_BLOCKS = 2_000;

/**
 * Runs a log on in two venues: as it was recorded, and from a height on with other parameters and further transactions.
 * Recorded transactions reach the fork in their blocks, and the `Translator` adapts the ids in them.
 *
 * @throws {LogError} LOG_HEIGHT where the log does not reach `at` or an injection
 * @throws EngineError INVALID_FORK for a parameter that cannot be changed so
 */
export function forkLog(path: string, options: ForkOptions): Forked {
  const { at, inject = [], onProgress } = options;
  const reader = new BlockLogReader(path);
  try {
    let base = new Simulation(createVenue(reader.genesis));
    let fork: Fork | undefined;
    const split = () => {
      base = new Simulation(base.state, options.observeBase);
      return new Fork(base.state, options);
    };
    if (at === 0) fork = split();
    for (const record of reader) {
      if (record.kind !== "block") continue;
      const { block } = record;
      const recorded = applyRecorded(base, block);
      if (fork !== undefined) fork.follow(recorded);
      else if (block.height === at) fork = split();
      if (block.height % PROGRESS_BLOCKS === 0) onProgress?.(reader.offset, reader.bytes, block.height);
    }
    const last = base.state.height;
    const beyond = inject.find(({ height }) => height > last || height <= at);
    if (fork === undefined || beyond !== undefined) {
      const [asked, wanted] = fork === undefined ? ["the fork", at] : ["an injected transaction", beyond!.height];
      throw new LogError("LOG_HEIGHT", `has blocks 1 to ${last}; ${asked} is at ${wanted}`, {
        file: path,
        hint: fork === undefined ? "use a height that the log has" : `use heights from ${at + 1} to ${last}`,
      });
    }
    onProgress?.(reader.bytes, reader.bytes, last);
    base.end();
    fork.end();
    return { base: base.state, fork: fork.state, injected: fork.injected };
  } finally {
    reader.close();
  }
}

/** A block as the recorded venue took it. */
export interface RecordedBlock {
  readonly block: SealedBlock;
  readonly result: BlockResult;
  /** Transactions that the venue had consumed before it. */
  readonly consumed: number;
}

/** Applies a block to the recorded venue, for the forks that follow it. */
export function applyRecorded(base: Simulation, block: SealedBlock): RecordedBlock {
  const { consumed } = base.state;
  return { block, result: base.apply(block), consumed };
}

/** A venue that diverges from the record at a state, block by block after the recorded one. */
export class Fork {
  readonly #fork: Simulation;
  readonly #translator = new Translator();
  readonly #nonces = new LaneNonces();
  readonly #injections: ReadonlyMap<number, readonly Injection[]>;
  readonly #injected: InjectedReceipt[] = [];

  /** @throws EngineError INVALID_FORK for a parameter that cannot be changed so */
  constructor(base: State, { changes, venue, inject = [], observeFork }: Omit<ForkOptions, "at"> = {}) {
    this.#fork = new Simulation(forkVenue(base, changes, venue), observeFork);
    this.#injections = Map.groupBy(inject, ({ height }) => height);
  }

  get state(): State {
    return this.#fork.state;
  }

  get injected(): readonly InjectedReceipt[] {
    return this.#injected;
  }

  /** Takes the block that the recorded venue took last. */
  follow(recorded: RecordedBlock): void {
    const fork = this.#fork;
    const entries = this.#merge(recorded);
    const transactions = entries.map(({ transaction }) => transaction);
    const { height, timeMs } = recorded.block;
    const { consumed } = fork.state;
    const result = fork.apply({ height, timeMs, transactions });
    this.#nonces.note(entries, (place) => consumptionOf(result, transactions[place]!, place));
    this.#translator.note(
      { ...recorded, transactions: recorded.block.transactions },
      { transactions, result, consumed },
      entries,
    );
    for (const [index, { record }] of entries.entries()) {
      if (record >= 0) continue;
      const { status, code, numbers } = result.receipts.at(index);
      this.#injected.push({
        height,
        index,
        action: transactions[index]!.action,
        status,
        ...(code === undefined ? {} : { code }),
        ...(numbers === undefined ? {} : { numbers }),
      });
    }
  }

  end(): void {
    this.#fork.end();
  }

  /** Recorded and injected transactions in the order that a block asks for (NET-2). */
  #merge({ block: { height, transactions }, result }: RecordedBlock): Entry[] {
    const entries = transactions.map((transaction, record): Entry => {
      const refusal = result.receipts.codes[record]! < 0 ? result.receipts.code(record) : undefined;
      const consumption = consumptionOf(result, transaction, record);
      return { transaction: this.#translator.translate(transaction), record, consumption, refusal };
    });
    const injections = this.#injections.get(height);
    if (injections !== undefined) {
      const consumption = { own: true, carried: true };
      for (const injection of injections) {
        const transaction = injection.make(this.#fork.state);
        entries.push({ transaction, record: -1, consumption, refusal: undefined });
      }
      entries.sort((a, b) => rankOf(a.transaction) - rankOf(b.transaction));
    }
    this.#nonces.number(this.#fork.state, entries);
    return entries;
  }
}

function rankOf({ code }: Transaction): number {
  if (!isSystem(code)) return 2;
  return code === ACTION_CODES.oracleUpdate ? 0 : 1;
}
