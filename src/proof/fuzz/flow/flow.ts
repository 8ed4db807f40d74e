import { Random } from "../../../ground/math/random.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type CaseOptions, drawCase } from "../draw/drawCase.ts";
import { BlockBuilder } from "../genes/blockBuilder.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { fillBlock, reportFirstPrices, STEP_MS } from "../genes/fillBlock.ts";
import { type CaseProfile, readProfile } from "../genes/profile.ts";
import { resolveGene } from "../genes/resolve.ts";

/** Genes that are drawn at a time: a case of the usual length. */
const LENGTH = 400;

/**
 * An endless source of blocks from a seed, for tests and measurements: one search case after another, on the same
 * venue. It reads the venue between blocks, so the orders, positions and amounts that it names exist. The same seed and
 * the same venue give the same blocks. A venue never crashes in a flow: its caller owns it.
 *
 * ```ts
 * const flow = new Flow(7);
 * const state = createVenue(flow.genesis);
 * for (let count = 0; count < 100; count++) applyBlock(state, flow.next(state));
 * ```
 */
export class Flow {
  readonly seed: number;
  readonly #random: Random;
  readonly #options: CaseOptions;
  readonly #profile: CaseProfile;
  #genes: Uint16Array;
  #at = 0;
  #builder: BlockBuilder | undefined;

  /** @param seed whole number, 0 to 2^32 - 1; every other one leaves some operations out and makes others frequent */
  constructor(seed: number) {
    this.seed = seed;
    this.#random = Random.ofSeed([seed | 0, 0x5eed, 0xf10a, ~seed]);
    this.#options = { profile: seed % 2 === 0 ? "swarm" : "uniform", length: LENGTH };
    const { profile, genes } = drawCase(this.#random, this.#options);
    this.#profile = readProfile(profile);
    this.#genes = genes;
  }

  get genesis(): Genesis {
    return this.#profile.genesis;
  }

  /** The block that follows the venue's present height. */
  next(state: State): Block {
    const builder = this.#attach(state);
    const isFirst = builder.oracle.length > 0;
    const step = (isFirst ? undefined : fillBlock(builder, () => this.#resolve(builder))) ?? STEP_MS;
    builder.crash = "";
    if (builder.delayed.length > 0) builder.releaseDelayed();
    return { height: state.height + 1, timeMs: state.timeMs + step, transactions: builder.clear() };
  }

  #attach(state: State): BlockBuilder {
    if (this.#builder === undefined) {
      this.#builder = new BlockBuilder(this.#profile, state);
      reportFirstPrices(this.#builder);
    }
    this.#builder.attach(state);
    return this.#builder;
  }

  #resolve(builder: BlockBuilder): number {
    if (this.#at === this.#genes.length) {
      this.#genes = drawCase(this.#random, this.#options).genes;
      this.#at = 0;
    }
    const step = resolveGene(builder, this.#genes, this.#at);
    this.#at += GENE_WIDTH;
    return step;
  }
}
