import { CaseRun, type FixedPayloads } from "../../../../product/scenario/run/caseRun.ts";
import { idOfLabel, type Labelled } from "../../../../product/scenario/run/ids.ts";
import type { Bytes32 } from "../../../../protocol/fields.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import type { BlockResult } from "../../../../venue/engine/applyBlock.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import type { LabelIds } from "./stateKey.ts";
import type { Start } from "./worlds.ts";

/** What the blocks of a sequence made, by the names of the scenario. */
export type Labels = ReadonlyMap<string, Labelled>;

/** A block that was applied. */
export interface Applied {
  readonly block: Block;
  readonly result: BlockResult;
  /** The venue after the block. */
  readonly state: State;
  /** Transactions committed before the block. */
  readonly consumed: number;
}

/** Builds the blocks of an alphabet for venues, and notes what their labels name. */
export class LetterBlocks {
  readonly #start: Start;
  readonly #payloads: FixedPayloads = new Map();
  /** Ids as they are in the state in which a label is first used. */
  readonly #ids = new WeakMap<Labelled, LabelIds>();

  constructor(start: Start) {
    this.#start = start;
    for (const made of start.labels.values()) this.idsOf(made, start.point.state);
  }

  /** Undefined if the block needs a label that no block of the sequence has made. */
  build(state: State, labels: Labels, letter: number): Block | undefined {
    const { planned, needs } = this.#start.alphabet.letters[letter]!;
    if (!needs.every((label) => labels.has(label))) return undefined;
    const { plan, digest } = this.#start;
    const from = { state, labels: labels as Map<string, Labelled> };
    return new CaseRun(plan, digest, from, this.#payloads).build(planned);
  }

  /** Labels after a block: those of transactions that were applied are new. */
  label(labels: Labels, letter: number, { block, result, state, consumed }: Applied): Labels {
    const { planned } = this.#start.alphabet.letters[letter]!;
    if (planned.steps.every((step) => step.labels.length === 0)) return labels;
    const { plan, digest } = this.#start;
    const run = new CaseRun(plan, digest, { state, labels: new Map() });
    run.remember(planned, block, result, consumed);
    const made = [...run.labels].filter(([, { receipt }]) => receipt.status === "applied");
    for (const [, one] of made) this.idsOf(one, state);
    return new Map([...labels, ...made]);
  }

  /** The ids of what a label names, from the state after the block that made it. */
  idsOf(made: Labelled, state: State): LabelIds {
    let ids = this.#ids.get(made);
    if (ids === undefined) {
      const isGrant = made.events.some(({ kind }) => kind === "authorizationGranted");
      ids = {
        order: Number(idOfLabel(made, "order") ?? 0),
        intent: Number(idOfLabel(made, "intent") ?? 0),
        grant: isGrant ? state.grants.find(made.txId() as Bytes32) : -1,
      };
      this.#ids.set(made, ids);
    }
    return ids;
  }
}
