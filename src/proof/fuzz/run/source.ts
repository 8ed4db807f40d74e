import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { restoreVenue } from "../../../venue/simulation/restoreVenue.ts";
import { CaseRunner } from "../case/caseRunner.ts";
import type { Crash } from "../case/crash.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import type { Chronicle } from "../case/resolveCase.ts";

/** Where blocks come from, and the venue that they are for. `next` looks at the venue as the block before left it. */
export interface Source {
  readonly genesis: Genesis;
  /** Another object after a crash: what is asked for at each block is the present one. */
  readonly state: State;
  /** Where the venue was restored so far. */
  readonly crashes?: readonly Crash[];
  /** Genes behind which the next block begins, where the blocks are made of genes and others could follow; see `CaseRunner`. */
  readonly boundary?: number;
  /** The next block, to be applied to `state`; undefined at the end. */
  next(): Block | undefined;
}

/** Blocks that are there already. */
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

/** What can be run. */
export type Subject = FuzzCase | Chronicle;

export function openSource(subject: Subject): Source {
  return "genes" in subject ? new CaseRunner(subject) : new ChronicleSource(subject);
}
