import { isSystem } from "../engine/admission.ts";
import { applyBlock, type BlockResult } from "../engine/applyBlock.ts";
import { forkState, type State } from "../engine/state/state.ts";
import { EngineError } from "../protocol/engineError.ts";
import type { Block } from "../protocol/transaction.ts";
import { createStep, type Invariant, type TransactionInvariant } from "./defineInvariant.ts";
import { invariants, transactionInvariants } from "./list.ts";

/** A number that an invariant compared, with what it is called. */
export interface Term {
  readonly name: string;
  readonly value: string;
}

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string;
  readonly height: number;
  /** Place of the transaction, for one that holds after every transaction. */
  readonly index?: number;
  readonly observed: string;
  /** What was compared, where the invariant says so: sums and what they should have been. */
  readonly terms?: readonly Term[];
}

export interface WatchOptions {
  /** Default: all that hold after every block. */
  readonly block?: readonly Invariant[];
  /** Default: all that hold after every transaction. */
  readonly transaction?: readonly TransactionInvariant[];
}

/**
 * Looks at a venue after every block. An observer of the simulation, too: it throws there at the first violation.
 *
 * What holds after every transaction is seen by applying the block to forks with one user transaction more each time:
 * only whole blocks change a venue. That costs the square of a block's transactions; leave the list empty to spare it.
 */
export class Watch {
  readonly #block: readonly Invariant[];
  readonly #transaction: readonly TransactionInvariant[];
  readonly #memories = new Map<string, never>();
  #before: State;

  constructor(state: State, options: WatchOptions = {}) {
    this.#block = options.block ?? invariants;
    this.#transaction = options.transaction ?? transactionInvariants;
    for (const invariant of this.#block) this.#memories.set(invariant.id, invariant.start?.(state) as never);
    this.#before = forkState(state);
  }

  /** What does not hold after a block that was applied to the state. */
  check(state: State, block: Block, result: BlockResult): Violation[] {
    const step = createStep(this.#before, block, result);
    const found: Violation[] = [];
    const { height } = block;
    for (const invariant of this.#block) {
      const observed = guard(() => invariant.check(state, step, this.#memories.get(invariant.id)!));
      if (observed !== undefined) found.push({ invariant: invariant.id, height, observed });
    }
    if (this.#transaction.length > 0) found.push(...this.#checkTransactions(block));
    this.#before = forkState(state);
    return found;
  }

  /**
   * For the loop's observers.
   *
   * @throws EngineError INVARIANT_VIOLATED
   */
  onBlock(state: State, block: Block, result: BlockResult): void {
    const [violation] = this.check(state, block, result);
    if (violation === undefined) return;
    const { invariant, height, observed } = violation;
    throw new EngineError("INVARIANT_VIOLATED", `block ${height}: ${invariant}: ${observed}`, {
      invariant,
      height,
      observed,
    });
  }

  #checkTransactions(block: Block): Violation[] {
    const found: Violation[] = [];
    const { transactions, height } = block;
    const first = transactions.findIndex(({ code }) => !isSystem(code));
    if (first < 0) return found;
    let before = this.#apply(block, first).state;
    for (let index = first; index < transactions.length; index++) {
      const { state, prefix, result } = this.#apply(block, index + 1);
      const step = { ...createStep(before, prefix, result), index };
      for (const invariant of this.#transaction) {
        const observed = guard(() => invariant.check(state, step));
        if (observed !== undefined) found.push({ invariant: invariant.id, height, index, observed });
      }
      before = state;
    }
    return found;
  }

  /** A fork with the first transactions of the block applied. */
  #apply(block: Block, count: number): { state: State; prefix: Block; result: BlockResult } {
    const state = forkState(this.#before);
    const prefix = { ...block, transactions: block.transactions.slice(0, count) };
    return { state, prefix, result: applyBlock(state, prefix) };
  }
}

/** A check that cannot even look, because what it reads is broken, has seen a violation. */
function guard(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return `the check failed: ${(error as Error).stack ?? String(error)}`;
  }
}
