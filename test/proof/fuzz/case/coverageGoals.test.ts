import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { CaseRunner } from "../../../../src/proof/fuzz/case/caseRunner.ts";
import { countSometimes, SOMETIMES, UNREACHABLE } from "../../../../src/proof/fuzz/case/coverageGoals.ts";
import { drawCase } from "../../../../src/proof/fuzz/draw/drawCase.ts";
import { Reached } from "../../../../src/proof/fuzz/flow/reached.ts";
import { applyBlock } from "../../../../src/venue/engine/applyBlock.ts";

/** Number of transactions in which nearly every place is reached. */
const TRANSACTIONS = 100_000;

// Goal: cases reach nearly every place in a short time. The missing places are rare, not unreachable: they differ from
// seed to seed.
test("cases reach nearly every outcome, code, event and cause", () => {
  const reached = new Reached();
  for (let seed = 1; reached.transactions < TRANSACTIONS; seed++) {
    const random = new Random([seed, 1, ~seed, 9]);
    const runner = new CaseRunner(drawCase(random, { profile: seed % 2 === 1 ? "uniform" : "swarm", length: 500 }));
    for (let block = runner.next(); block !== undefined; block = runner.next()) {
      reached.add(block, applyBlock(runner.state, block));
    }
  }
  const found = [...countSometimes(reached.counts)];
  expect(found.map(([name]) => name)).toEqual(SOMETIMES);
  const missed = found.filter(([, count]) => count === 0).map(([name]) => name);
  expect(missed.length, missed.join(", ")).toBeLessThanOrEqual(SOMETIMES.length / 50);
  // Places listed as unreachable are never reached.
  const surprises = Object.keys(UNREACHABLE).filter((name) => reached.counts.has(name));
  expect(surprises).toEqual([]);
});
