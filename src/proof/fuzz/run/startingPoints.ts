import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import type { KeptModel } from "../../model/copyState.ts";
import { type CaseMark, CaseRunner } from "../case/caseRunner.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import { keepModel, LockStep } from "../differential/lockStep.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import type { Source } from "./source.ts";

/** Block at which checking starts: after this many genes, which the case shares with others. */
export interface CaseStart {
  /** Identifies the profile and the genes up to the start: equal names mean equal values. */
  readonly name: string;
  readonly genes: number;
}

/** A case at its start. */
export interface Begun {
  readonly source: Source;
  readonly model?: KeptModel;
}

interface Kept {
  readonly mark: CaseMark;
  readonly model?: KeptModel;
}

/** Maximum number of stored venues; the least recently used one is dropped. */
const KEPT_MOST = 48;

/**
 * Brings cases to their starts: from a stored venue, or by applying the earlier blocks without checks. Both give the
 * same venue, so storing affects only the time.
 */
export class StartingPoints {
  readonly #kept = new Map<string, Kept>();
  readonly #most: number;
  readonly #withModel: boolean;

  /** @param withModel true to bring the reference model to the start as well */
  constructor(withModel: boolean, most = KEPT_MOST) {
    this.#withModel = withModel;
    this.#most = most;
  }

  /**
   * @returns undefined if no block ends with that gene, or if the venue throws on the way; then run the case from its
   *   first block
   */
  begin(given: FuzzCase, start: CaseStart): Begun | undefined {
    let kept = this.#kept.get(start.name);
    if (kept === undefined) {
      kept = this.#reach(given, start.genes);
      if (kept === undefined) return undefined;
    } else this.#kept.delete(start.name);
    this.#kept.set(start.name, kept);
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!);
    const source = new CaseRunner(given, kept.mark);
    return kept.model === undefined ? { source } : { source, model: kept.model };
  }

  #reach({ protocolVersion, profile, genes }: FuzzCase, most: number): Kept | undefined {
    const runner = new CaseRunner({ protocolVersion, profile, genes: genes.subarray(0, most * GENE_WIDTH) });
    const both = this.#withModel ? new LockStep(runner.genesis, "block", runner.state) : undefined;
    try {
      for (let block = runner.next(); block !== undefined; block = runner.next()) {
        applyBlock(runner.state, block, both?.probe);
        both?.check(runner.state, block);
      }
    } catch {
      return undefined;
    }
    if (runner.boundary !== most) return undefined;
    const mark = runner.mark();
    return both === undefined ? { mark } : { mark, model: keepModel(both.model) };
  }
}
