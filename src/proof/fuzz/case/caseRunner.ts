import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { forkState, type State } from "../../../venue/engine/state/state.ts";
import { restoreVenue } from "../../../venue/simulation/restoreVenue.ts";
import { BlockBuilder, type BuilderMark } from "../genes/blockBuilder.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { reportPrice } from "../genes/prices.ts";
import { readProfile } from "../genes/profile.ts";
import { resolveGene } from "../genes/resolve.ts";
import { signSystem } from "../genes/sign.ts";
import type { Crash } from "./crash.ts";
import type { FuzzCase } from "./fuzzCase.ts";

/** A block is closed when it holds so many transactions. */
const BLOCK_MOST = 128;

/** Where a case stands between two blocks: all that its further genes need. Another one goes on from it, with other genes. */
export interface CaseMark {
  readonly genesis: Genesis;
  /** Choices that were read. */
  readonly at: number;
  /** The venue there: it is forked, never changed. */
  readonly state: State;
  readonly builder: BuilderMark;
  readonly crashes: readonly Crash[];
}

/**
 * Makes the blocks of a case, one after the other, for the venue as it is then. The caller applies each to `state`
 * before it asks for the next:
 *
 * ```ts
 * const runner = new CaseRunner(given);
 * for (let block = runner.next(); block !== undefined; block = runner.next()) applyBlock(runner.state, block);
 * ```
 *
 * Where a case has the venue crash, `next` puts one restored from its image or snapshot in its place, so read `state`
 * after it; `crashes` tells where.
 */
export class CaseRunner {
  readonly genesis: Genesis;
  /** Where the venue was restored so far. */
  readonly crashes: Crash[];
  readonly #genes: Uint16Array;
  readonly #builder: BlockBuilder;
  #state: State;
  #at = 0;
  /** The last block was closed for want of further genes. */
  #isEnded = false;

  /** @param from where a case with this profile, and with these genes up to there, stood */
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
      builder.goOn(from.builder);
      return;
    }
    if (!profile.isPriced) return;
    for (const path of builder.prices)
      builder.oracle.push(signSystem(builder, "oracleUpdate", reportPrice(builder, path)));
  }

  get state(): State {
    return this.#state;
  }

  /** Genes read so far. */
  get genesRead(): number {
    return Math.ceil(Math.min(this.#at, this.#genes.length) / GENE_WIDTH);
  }

  /** Genes that the blocks so far were made of, where others could follow them; 0 where none were, or all of them were. */
  get boundary(): number {
    return this.#isEnded ? 0 : this.genesRead;
  }

  /** Where it stands, after the last block was applied and before the next is asked for. */
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

  /** The block that follows; undefined where the case ends. */
  next(): Block | undefined {
    const builder = this.#builder;
    const genes = this.#genes;
    builder.look(this.#state);
    // Prices come first, in a block of their own: without them there is nothing that orders could be measured by.
    let step = this.#at === 0 && builder.oracle.length > 0 ? 1_000 : 0;
    while (step === 0 && this.#at < genes.length) {
      step = resolveGene(builder, genes, this.#at);
      this.#at += GENE_WIDTH;
      if (builder.size >= BLOCK_MOST && step === 0) step = 1_000;
    }
    if (step === 0) {
      if (builder.size === 0) return undefined;
      step = 1_000;
      this.#isEnded = true;
    }
    if (builder.delayed.length > 0) builder.releaseDelayed();
    const { height, timeMs } = this.#state;
    if (builder.crash !== "") this.#restore(builder.crash);
    return { height: height + 1, timeMs: timeMs + step, transactions: builder.clear() };
  }

  #restore(way: Crash["way"]): void {
    this.#builder.crash = "";
    this.crashes.push({ height: this.#state.height, way });
    this.#state = restoreVenue(this.#state, way);
  }
}
