import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { restoreVenue } from "../../../venue/simulation/restoreVenue.ts";
import { BlockBuilder, type BuilderMark } from "../genes/blockBuilder.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { fillBlock, reportFirstPrices, STEP_MS } from "../genes/fillBlock.ts";
import { readProfile } from "../genes/profile.ts";
import { resolveGene } from "../genes/resolve.ts";
import type { Crash } from "./crash.ts";
import type { FuzzCase } from "./fuzzCase.ts";

/**
 * State of a case between two blocks: all that its later genes need. Another case can continue from it with other
 * genes.
 */
export interface CaseMark {
  readonly genesis: Genesis;
  /** Choices read so far. */
  readonly at: number;
  /** The venue at this moment. It is forked, never changed. */
  readonly state: State;
  readonly builder: BuilderMark;
  readonly crashes: readonly Crash[];
}

/**
 * Produces the blocks of a case one by one, each for the current venue. The caller applies each block to `state` before
 * it asks for the next:
 *
 * ```ts
 * const runner = new CaseRunner(given);
 * for (let block = runner.next(); block !== undefined; block = runner.next()) applyBlock(runner.state, block);
 * ```
 *
 * If a case crashes the venue, `next` replaces it with one restored from its image or snapshot. So read `state` after
 * `next`. `crashes` lists these heights.
 */
export class CaseRunner {
  readonly genesis: Genesis;
  /** Heights at which the venue was restored so far. */
  readonly crashes: Crash[];
  readonly #genes: Uint16Array;
  readonly #builder: BlockBuilder;
  #state: State;
  #at = 0;
  /** True if the last block ended because no genes were left. */
  #isEnded = false;

  /** @param from mark of a case with the same profile and the same genes up to it */
  constructor(given: FuzzCase, from?: CaseMark) {
    const profile = readProfile(given.profile);
    this.#genes = given.genes;
    this.genesis = from?.genesis ?? profile.genesis;
    this.crashes = [...(from?.crashes ?? [])];
    this.#state = from === undefined ? createVenue(profile.genesis) : forkState(from.state);
    this.#builder = new BlockBuilder(profile, this.#state);
    const builder = this.#builder;
    if (from !== undefined) {
      this.#at = from.at;
      builder.resume(from.builder);
      return;
    }
    reportFirstPrices(builder);
  }

  get state(): State {
    return this.#state;
  }

  /** Number of genes read so far. */
  get genesRead(): number {
    return Math.ceil(Math.min(this.#at, this.#genes.length) / GENE_WIDTH);
  }

  /**
   * Number of genes that the blocks so far consumed, if other genes could follow; 0 if there are none or all are used.
   */
  get boundary(): number {
    return this.#isEnded ? 0 : this.genesRead;
  }

  /** Mark after the last block was applied and before the next one is requested. */
  mark(): CaseMark {
    const { genesis, crashes } = this;
    return {
      genesis,
      at: this.#at,
      state: forkState(this.#state),
      builder: this.#builder.mark(),
      crashes: [...crashes],
    };
  }

  /** Returns the next block; undefined at the end of the case. */
  next(): Block | undefined {
    const builder = this.#builder;
    builder.attach(this.#state);
    // Prices come first, in a block of their own.
    const isFirst = this.#at === 0 && builder.oracle.length > 0;
    const step = isFirst ? STEP_MS : fillBlock(builder, () => this.#resolve());
    if (step === undefined) {
      if (builder.size === 0) return undefined;
      this.#isEnded = true;
    }
    if (builder.delayed.length > 0) builder.releaseDelayed();
    const { height, timeMs } = this.#state;
    if (builder.crash !== "") this.#restore(builder.crash);
    return { height: height + 1, timeMs: timeMs + (step ?? STEP_MS), transactions: builder.clear() };
  }

  #resolve(): number | undefined {
    if (this.#at >= this.#genes.length) return undefined;
    const step = resolveGene(this.#builder, this.#genes, this.#at);
    this.#at += GENE_WIDTH;
    return step;
  }

  #restore(way: Crash["way"]): void {
    this.#builder.crash = "";
    this.crashes.push({ height: this.#state.height, way });
    this.#state = restoreVenue(this.#state, way);
  }
}
