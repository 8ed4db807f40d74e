import type { Invariant } from "../../../proof/invariants/statements.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { createDigester, type Digester } from "../../../protocol/typedDataDigest.ts";
import { signingDomainOf } from "../../../venue/simulation/signatures.ts";
import { compileScenario } from "../compile/compileScenario.ts";
import type { Scenario } from "../compile/plan.ts";
import { ScenarioError } from "../faults.ts";
import { type ReadText, readTextFile } from "../parse/include.ts";
import type { Digest } from "./caseRun.ts";
import type { ScenarioResult } from "./result.ts";
import { runCase } from "./runCase.ts";

export interface RunOptions {
  readonly readText?: ReadText;
  /** Describe every block. */
  readonly describeAll?: boolean;
  /** Invariants of the user's own, which are checked besides all others. Known ones among them are checked once. */
  readonly invariants?: readonly Invariant[];
}

/** Compiles and runs a file. A file that cannot run is a result, too. */
export function runScenarioFile(file: string, options: RunOptions = {}): ScenarioResult {
  const started = performance.now();
  try {
    const scenario = compileScenario(file, options.readText ?? readTextFile);
    return { ...runScenario(scenario, options), durationMs: performance.now() - started };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return {
      file,
      name: file,
      sentence: "",
      rules: [],
      tags: [],
      kind: undefined,
      story: undefined,
      source: undefined,
      defect: undefined,
      status: "invalid",
      cases: [],
      faults: error.faults,
      durationMs: performance.now() - started,
    };
  }
}

/** Runs every case of a scenario. */
export function runScenario(
  scenario: Scenario,
  { describeAll = false, invariants = [], readText = readTextFile }: RunOptions = {},
): ScenarioResult {
  const { cases, advice: _advice, ...head } = scenario;
  const results = cases.map((plan) => {
    const started = performance.now();
    const hasCourse = head.story !== undefined;
    const result = runCase(plan, { digest: createDigest(plan.genesis), readText, describeAll, hasCourse, invariants });
    return { ...result, durationMs: performance.now() - started };
  });
  const status = results.every((result) => result.status === "passed") ? "passed" : "failed";
  return { ...head, status, cases: results, faults: [], durationMs: 0 };
}

/** Ids of transactions, made only where a file asks for one. */
function createDigest(genesis: Genesis): Digest {
  let digester: Digester | undefined;
  return (transaction) => {
    digester ??= createDigester(signingDomainOf(genesis));
    return digester.digestOf(transaction);
  };
}
