import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { restoreVenue } from "../../../venue/simulation/restoreVenue.ts";
import { CaseRunner } from "../case/caseRunner.ts";
import type { Crash } from "../case/crash.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import type { Chronicle } from "../case/resolveCase.ts";

/** Source of blocks and the venue they are for. `next` reads the venue after the previous block. */
export interface Source {
  readonly genesis: Genesis;
  /** The current venue. A restart replaces the object. */
  readonly state: State;
  /** Heights at which the venue was restored so far. */
  readonly crashes?: readonly Crash[];
  /**
   * Number of genes before the next block, if the blocks are made of genes and other genes could follow; see
   * `CaseRunner`.
   */
  readonly boundary?: number;
  /** Returns the next block, which the caller applies to `state`; undefined at the end. */
  next(): Block | undefined;
}

/** Source of explicit blocks. */
export class ChronicleSource implements Source {
  readonly genesis: Genesis;
  readonly #chronicle: Chronicle;
  #state: State;
  #at = 0;

  constructor(chronicle: Chronicle) {
    this.genesis = chronicle.genesis;
    this.#state = createVenue(chronicle.genesis);
    this.#chronicle = chronicle;
  }

  get state(): State {
    return this.#state;
  }

  get crashes(): readonly Crash[] {
    return this.#chronicle.crashes ?? [];
  }

  next(): Block | undefined {
    const { blocks, crashes = [] } = this.#chronicle;
    const block = blocks[this.#at++];
    const crash = crashes.find(({ height }) => height === this.#state.height);
    if (block !== undefined && crash !== undefined) this.#state = restoreVenue(this.#state, crash.way);
    return block;
  }
}

/** A case or explicit blocks. */
export type Subject = FuzzCase | Chronicle;

export function openSource(subject: Subject): Source {
  return "genes" in subject ? new CaseRunner(subject) : new ChronicleSource(subject);
}
