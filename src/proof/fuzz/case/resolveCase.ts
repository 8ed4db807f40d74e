import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { CaseRunner } from "./caseRunner.ts";
import type { Crash } from "./crash.ts";
import type { FuzzCase } from "./fuzzCase.ts";

/** A venue and explicit blocks, without genes. */
export interface Chronicle {
  readonly genesis: Genesis;
  readonly blocks: readonly Block[];
  /** Heights at which the venue was restored, ascending. */
  readonly crashes?: readonly Crash[];
}

/**
 * Runs a case and records its blocks.
 *
 * @param most maximum number of blocks
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
