import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import { compileScenario } from "../compile/compileScenario.ts";
import type { Case } from "../compile/plan.ts";
import { ScenarioError } from "../faults.ts";
import { readTextFile } from "../parse/include.ts";
import { CaseRun } from "./caseRun.ts";

/** A chain that can be run under other rules, and where it ends. */
export interface Chain {
  readonly name: string;
  readonly genesis: Genesis;
  readonly blocks: readonly Block[];
  readonly state: State;
}

/**
 * The blocks of a scenario's first case, expectations aside.
 *
 * @throws {ScenarioError} if the file has a fault, or does not start at genesis
 */
export function chainOf(file: string): Chain {
  const { plan, chain } = replay(file);
  if (plan.start === undefined) return chain;
  const hint = "take a scenario that starts at genesis, or the block log that this one is frozen from";
  throw new ScenarioError([{ place: plan.start.place, message: "its chain starts from a stored venue", hint }]);
}

/** The venue in which a scenario's first case ends. */
export function findLastState(file: string): State {
  return replay(file).chain.state;
}

function replay(file: string): { readonly plan: Case; readonly chain: Chain } {
  const { name, cases } = compileScenario(file, readTextFile);
  const [plan] = cases;
  if (plan === undefined) throw new RangeError(`${file} has no case`);
  const digester = createDigester(signingDomainOf(plan.genesis));
  const run = new CaseRun(plan, (transaction) => digester.digestOf(transaction));
  const blocks: Block[] = [];
  for (const planned of plan.blocks) {
    for (let round = 0; round < planned.repeat; round++) {
      const { consumed } = run.state;
      const block = run.build(planned);
      run.remember(planned, block, applyBlock(run.state, block), consumed);
      blocks.push(block);
    }
  }
  return { plan, chain: { name, genesis: plan.genesis, blocks, state: run.state } };
}
