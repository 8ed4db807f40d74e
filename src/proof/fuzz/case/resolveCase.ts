import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { CaseRunner } from "./caseRunner.ts";
import type { Crash } from "./crash.ts";
import type { FuzzCase } from "./fuzzCase.ts";

/** What a case comes to: a venue and blocks, without a word about genes. */
export interface Chronicle {
  readonly genesis: Genesis;
  readonly blocks: readonly Block[];
  /** Where the venue was restored from what it had written, by rising height. */
  readonly crashes?: readonly Crash[];
}

/**
 * Runs a case and writes down what it did.
 *
 * @param most blocks to stop after
 */
export function resolveCase(given: FuzzCase, most: number = Number.POSITIVE_INFINITY): Chronicle {
  const runner = new CaseRunner(given);
  const blocks: Block[] = [];
  for (let block = runner.next(); block !== undefined && blocks.length < most; block = runner.next()) {
    blocks.push(block);
    applyBlock(runner.state, block);
  }
  return { genesis: runner.genesis, blocks, crashes: runner.crashes };
}
