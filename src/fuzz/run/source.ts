import { createVenue } from "../../engine/genesis.ts";
import type { State } from "../../engine/state/state.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Block } from "../../protocol/transaction.ts";
import { CaseRunner } from "../case/caseRunner.ts";

import type { FuzzCase } from "../case/fuzzCase.ts";
import type { Chronicle } from "../case/resolveCase.ts";

/** Where blocks come from, and the venue that they are for. `next` looks at the venue as the block before left it. */
export interface Source {
  readonly genesis: Genesis;
  /** Another object after a crash: what is asked for at each block is the present one. */
  readonly state: State;
  /** The next block, to be applied to `state`; undefined at the end. */
  next(): Block | undefined;
}

/** Blocks that are there already. */
export class ChronicleSource implements Source {
  readonly genesis: Genesis;
  readonly state: State;
  readonly #blocks: readonly Block[];
  #at = 0;

  constructor({ genesis, blocks }: Chronicle) {
    this.genesis = genesis;
    this.state = createVenue(genesis);
    this.#blocks = blocks;
  }

  next(): Block | undefined {
    return this.#blocks[this.#at++];
  }
}

/** What can be run. */
export type Subject = FuzzCase | Chronicle;

export function openSource(subject: Subject): Source {
  return "genes" in subject ? new CaseRunner(subject) : new ChronicleSource(subject);
}
