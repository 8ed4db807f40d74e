import { join } from "node:path";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { writeCase } from "../case/writeCase.ts";
import { writeAtomic } from "../corpus/atomic.ts";
import { nameOfCase } from "../corpus/corpusFolder.ts";
import { createFailureReport } from "../failure/createFailureReport.ts";
import { FAILURE_FORMATS } from "../failure/formats.ts";
import { writeRegression } from "../regression/writeRegression.ts";
import { MODEL_CHECKERS } from "../run/modelCheckers.ts";
import { oraclesFor } from "../run/oraclesFor.ts";
import { listRestarts, RESTORED } from "../run/repeat.ts";
import { type RunOptions, runCase } from "../run/runCase.ts";
import { twinCheckers } from "../run/twinCheckers.ts";
import type { FuzzViolation } from "../run/violation.ts";
import type { Apply } from "../shrink/readScript.ts";
import { type Shrunk as Script, type ShrinkOptions, shrinkChronicle } from "../shrink/shrinkScript.ts";
import type { Found } from "./campaign.ts";
import { CANARIES } from "./canaries.ts";
import type { Shrunk } from "./failures.ts";
import { findWriter } from "./findWriter.ts";
import { formatReplay, formatScenarioRun, type ReproduceSettings } from "./reproduce.ts";

/** How to shrink a failure. */
export interface ShrinkFailureOptions {
  readonly invariants: readonly Invariant[];
  /** Settings under which the case failed. */
  readonly settings: ReproduceSettings;
  /** Folder for the results. */
  readonly folder: string;
  /** Maximum number of candidates to run. */
  readonly candidates: number;
}

/**
 * Maximum number of transactions that candidates apply, by what sees the failure: the check of one invariant, the model
 * in lock step, or whole runs of the case; each is slower than the one before. A limit of time would make the result
 * depend on the machine.
 */
const TRANSACTIONS = { invariant: 400_000, model: 150_000, run: 60_000 } as const;

/**
 * Shrinks a failure, names its actors readably, and writes its case and its scenario. If a check or the search itself
 * changed the venue, that is the failure, and it is not shrunk: its blocks alone do not show it.
 */
export function shrinkFailure({ given, violation: seen }: Found, options: ShrinkFailureOptions): Shrunk {
  const violation = findWriter(given, seen, { ...options.settings, invariants: options.invariants }) ?? seen;
  const path = writeFailure(options.folder, violation.invariant, given);
  const chronicle = record(given, options);
  // A user's check that itself throws fails on any script.
  const isOfVenue = violation.broken === undefined && violation.invariant !== "casesRun";
  const script = isOfVenue ? shrinkGiven(chronicle, violation, options) : undefined;
  const again = formatReplay(path, options.settings);
  const written = script === undefined ? {} : writeScenario(script, again, options);
  const blocks = script?.chronicle.blocks ?? chronicle.blocks.filter(({ height }) => height <= violation.height);
  const actions = blocks.flatMap(({ transactions }) => transactions.map(({ action }) => action));
  return {
    violation: script === undefined ? violation : { ...script.failure, kind: violation.kind },
    ...(isOfVenue ? { transactions: actions.length } : {}),
    actions,
    path,
    again,
    ...written,
  };
}

/**
 * Writes the scenario with a report next to it. Returns its path, or the reason why no scenario can express the
 * failure.
 */
function writeScenario(
  found: Script,
  again: string,
  options: ShrinkFailureOptions,
): Pick<Shrunk, "scenario" | "unsaid"> {
  const { script, failure } = found;
  const { folder, invariants, settings } = options;
  const invariant = invariants.find(({ id }) => id === failure.invariant);
  try {
    const { sentence, rules } = invariant ?? {};
    const described = { ...(sentence === undefined ? {} : { sentence }), ...(rules === undefined ? {} : { rules }) };
    const { name, text, remark } = writeRegression(script, failure, { ...described, invariants });
    const path = join(folder, name);
    writeAtomic(path, text);
    const report = createFailureReport(script, failure, {
      apply: applyPlanted(options),
      invariants,
      // If the scenario does not reproduce the failure, the case does.
      command: remark === undefined ? formatScenarioRun(path, settings.userInvariants) : again,
      cost: found,
    });
    writeAtomic(path.replace(/yaml$/, "html"), FAILURE_FORMATS.html([report]));
    return { scenario: path };
  } catch (error) {
    return { unsaid: error instanceof Error ? error.message : String(error) };
  }
}

/** Records the blocks of a case with the planted fault in place. */
function record(given: FuzzCase, { settings: { canary } }: ShrinkFailureOptions): Chronicle {
  return runCase(given, { oracles: { watch: false }, records: true, ...planted(canary) }).chronicle!;
}

function shrinkGiven(
  chronicle: Chronicle,
  violation: FuzzViolation,
  options: ShrinkFailureOptions,
): Script | undefined {
  const { invariants, candidates } = options;
  const { canary } = options.settings;
  const apply = applyPlanted(options);
  const budget: ShrinkOptions = { candidates, transactions: TRANSACTIONS.invariant, invariants };
  if (violation.kind === "model") {
    const { model: transactions } = TRANSACTIONS;
    return shrinkChronicle(chronicle, violation, { ...budget, transactions, checkers: MODEL_CHECKERS, apply });
  }
  if (violation.invariant === RESTORED) {
    // The restarts of the failing replay become part of the chronicle.
    const crashes = [...(chronicle.crashes ?? []), ...listRestarts(chronicle.blocks)];
    const small = shrinkChronicle({ ...chronicle, crashes }, violation, {
      ...budget,
      checkers: twinCheckers(apply),
      apply,
    });
    if (small !== undefined) return small;
  }
  if (violation.kind !== "invariant" && violation.kind !== "throw") {
    const oracles = oraclesFor(violation.kind);
    const run = (candidate: Chronicle) => runCase(candidate, { oracles, ...planted(canary) }).violation;
    return shrinkChronicle(chronicle, violation, { ...budget, transactions: TRANSACTIONS.run, run });
  }
  return shrinkChronicle(chronicle, violation, { ...budget, apply });
}

/** Applies blocks to a venue with the planted fault, if any. */
function applyPlanted({ settings: { canary } }: ShrinkFailureOptions): Apply {
  const { plant } = planted(canary);
  if (plant === undefined) return applyBlock;
  return (state, block, probe) => {
    const result = applyBlock(state, block, probe);
    plant(state, result);
    return result;
  };
}

function planted(canary: ReproduceSettings["canary"]): Pick<RunOptions, "plant"> {
  return canary === undefined ? {} : { plant: CANARIES[canary] };
}

/**
 * Writes the case of a failure.
 *
 * @param what prefix of the file name
 * @returns the path
 */
export function writeFailure(folder: string, what: string, given: FuzzCase): string {
  const bytes = writeCase(given);
  const path = join(folder, `${what}-${nameOfCase(bytes).slice(0, 8)}.case`);
  writeAtomic(path, bytes);
  return path;
}
