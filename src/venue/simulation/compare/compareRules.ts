import { EngineError } from "../../../protocol/engineError.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { createVenue } from "../../engine/genesis.ts";
import { applyRecorded, Fork } from "../fork/forkLog.ts";
import type { SealedBlock } from "../observer.ts";
import type { Outcome } from "../outcome/outcome.ts";
import { OutcomeRecorder } from "../outcome/recordOutcome.ts";
import { Simulation } from "../simulation.ts";
import { type RuleSet, ruleSetNames, ruleSetOf } from "./ruleSets.ts";

/** One block stream under several rules. */
export interface RuleComparison {
  readonly blocks: number;
  readonly transactions: number;
  /** The venue with the recorded rules. */
  readonly recorded: Outcome;
  readonly sets: readonly { readonly name: string; readonly outcome: Outcome }[];
}

export interface CompareOptions {
  /** Presets by name. Default: all that `ruleSetNames` lists. */
  readonly presets?: readonly string[];
  readonly onProgress?: (blocks: number) => void;
}

const PROGRESS_BLOCKS = 500;

/**
 * Runs one block stream under several rule sets side by side, each a fork at genesis, and reports the outcome of each.
 * Recorded transactions reach every set in their blocks, and each set may reject them. An account whose opening order
 * is rejected there has no position to lose.
 *
 * @throws EngineError INVALID_FORK for an unknown preset, or one that the markets cannot take
 */
export function compareRules(
  genesis: Genesis,
  blocks: Iterable<SealedBlock>,
  options: CompareOptions = {},
): RuleComparison {
  const baseRecorder = new OutcomeRecorder();
  const base = new Simulation(createVenue(genesis), [baseRecorder]);
  const runs = (options.presets ?? ruleSetNames()).map((name) => {
    const recorder = new OutcomeRecorder();
    const { changes } = requireRuleSet(name, base);
    return { name, recorder, fork: new Fork(base.state, { changes, observeFork: [recorder] }) };
  });
  for (const block of blocks) {
    const recorded = applyRecorded(base, block);
    for (const { fork } of runs) fork.follow(recorded);
    if (base.blocks % PROGRESS_BLOCKS === 0) options.onProgress?.(base.blocks);
  }
  return {
    blocks: base.blocks,
    transactions: base.transactions,
    recorded: baseRecorder.result(base.state),
    sets: runs.map(({ name, recorder, fork }) => ({ name, outcome: recorder.result(fork.state) })),
  };
}

function requireRuleSet(name: string, { state }: Simulation): RuleSet {
  const set = ruleSetOf(name, state);
  if (set !== undefined) return set;
  const reason = `there is no such preset; use ${ruleSetNames().join(", ")}`;
  throw new EngineError("INVALID_FORK", `${name}: ${reason}`, { parameter: name, reason });
}
