import { createDigester } from "../../../protocol/typedDataDigest.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import { compileScenario } from "../compile/compileScenario.ts";
import { formatPlace, ScenarioError } from "../faults.ts";
import type { ReadText } from "../parse/include.ts";
import { CaseRun } from "../run/caseRun.ts";
import { runScenarioFile } from "../run/runScenario.ts";
import { FreezeError } from "./errors.ts";
import type { Frozen } from "./freezeBlocks.ts";
import type { Stretch } from "./readStretch.ts";

/** Nonces that the file would give otherwise, by height and place of the transaction. */
export function findNonces(
  file: string,
  text: string,
  snapshot: Frozen["snapshot"],
  { genesis, blocks }: Stretch,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let run: CaseRun;
  try {
    const [plan] = compileScenario(file, readFrom(file, text, snapshot)).cases;
    const digester = createDigester(signingDomainOf(genesis));
    run = new CaseRun(plan!, (transaction) => digester.digestOf(transaction));
    for (const [at, block] of blocks.entries()) {
      const planned = run.case.blocks[at]!;
      const built = run.build(planned);
      block.transactions.forEach(({ header: { nonce } }, index) => {
        if (built.transactions[index]?.header.nonce !== nonce) found.set(`${block.height}-${index}`, nonce);
      });
      const { consumed } = run.state;
      run.remember(planned, block, applyBlock(run.state, block), consumed);
    }
  } catch (error) {
    // `checkFrozen` reports the fault.
    if (!(error instanceof ScenarioError)) throw error;
  }
  return found;
}

/**
 * Runs the file as `scenario run` does.
 *
 * @throws {FreezeError} FREEZE_INEXACT with the first thing that differs
 */
export function checkFrozen(log: string, file: string, text: string, snapshot: Frozen["snapshot"]): void {
  const { status, faults, cases } = runScenarioFile(file, { readText: readFrom(file, text, snapshot) });
  if (status === "passed") return;
  const [fault] = faults;
  const [failure] = cases.flatMap(({ failures }) => failures);
  const reason =
    fault === undefined
      ? `${failure?.what} in block ${failure?.height}: expected ${failure?.expected}, observed ${failure?.observed}`
      : `${formatPlace(fault.place)}: ${fault.message}`;
  throw new FreezeError("FREEZE_INEXACT", `no scenario gives the same results: ${reason.slice(0, 300)}`, {
    place: log,
    hint: "freeze other blocks; `fork` and `explain` work on the log itself",
  });
}

/** Reads the files that are not written yet. */
function readFrom(file: string, text: string, snapshot: Frozen["snapshot"]): ReadText {
  return (path) => {
    if (path === file) return text;
    if (path === snapshot.path) return snapshot.text;
    throw new RangeError(`${path} is not part of the scenario`);
  };
}
