import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import { compileScenario } from "../compile/compileScenario.ts";
import { readTextFile } from "../parse/include.ts";
import { CaseRun } from "./caseRun.ts";

/** The blocks of a scenario's first case, expectations aside: a chain that can be run under other rules, and where it ends. */
export function chainOf(file: string): { name: string; genesis: Genesis; blocks: Block[]; state: State } {
  const { name, cases } = compileScenario(file, readTextFile);
  const [plan] = cases;
  if (plan === undefined) throw new RangeError(`${file} has no case`);
  const digester = createDigester(signingDomainOf(plan.genesis));
  const run = new CaseRun(plan, (transaction) => digester.digestOf(transaction));
  const blocks = plan.blocks.map((planned) => {
    const { consumed } = run.state;
    const block = run.build(planned);
    run.remember(planned, block, applyBlock(run.state, block), consumed);
    return block;
  });
  return { name, genesis: plan.genesis, blocks, state: run.state };
}
