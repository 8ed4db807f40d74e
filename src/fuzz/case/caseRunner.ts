import { createVenue } from "../../engine/genesis.ts";
import type { State } from "../../engine/state/state.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Block } from "../../protocol/transaction.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { Desk } from "../genes/desk.ts";
import { reportPrice } from "../genes/prices.ts";
import { readProfile } from "../genes/profile.ts";
import { resolveGene } from "../genes/resolve.ts";
import { signSystem } from "../genes/sign.ts";
import type { FuzzCase } from "./fuzzCase.ts";
import { type Crash, restoreVenue } from "./restoreVenue.ts";

/** A block is closed when it holds so many transactions. */
const BLOCK_MOST = 128;

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
  readonly crashes: Crash[] = [];
  readonly #genes: Uint16Array;
  readonly #desk: Desk;
  #state: State;
  #at = 0;

  constructor(given: FuzzCase) {
    const profile = readProfile(given.profile);
    this.genesis = profile.genesis;
    this.#genes = given.genes;
    this.#state = createVenue(profile.genesis);
    this.#desk = new Desk(profile, this.#state);
    const desk = this.#desk;
    for (const path of desk.prices) desk.oracle.push(signSystem(desk, "oracleUpdate", reportPrice(desk, path)));
  }

  get state(): State {
    return this.#state;
  }

  /** Genes read so far. */
  get genesRead(): number {
    return Math.ceil(Math.min(this.#at, this.#genes.length) / GENE_WIDTH);
  }

  /** The block that follows; undefined where the case ends. */
  next(): Block | undefined {
    const desk = this.#desk;
    const genes = this.#genes;
    desk.look(this.#state);
    // Prices come first, in a block of their own: without them there is nothing that orders could be measured by.
    let step = this.#at === 0 && desk.oracle.length > 0 ? 1_000 : 0;
    while (step === 0 && this.#at < genes.length) {
      step = resolveGene(desk, genes, this.#at);
      this.#at += GENE_WIDTH;
      if (desk.size >= BLOCK_MOST && step === 0) step = 1_000;
    }
    if (step === 0) {
      if (desk.size === 0) return undefined;
      step = 1_000;
    }
    if (desk.delayed.length > 0) desk.releaseDelayed();
    const { height, timeMs } = this.#state;
    if (desk.crash !== "") this.#restore(desk.crash);
    return { height: height + 1, timeMs: timeMs + step, transactions: desk.clear() };
  }

  #restore(way: Crash["way"]): void {
    this.#desk.crash = "";
    this.crashes.push({ height: this.#state.height, way });
    this.#state = restoreVenue(this.#state, way);
  }
}
