import { invariants } from "../../../src/proof/invariants/list.ts";
import { bugs } from "../bugs/index.ts";
import type { Attempt } from "../job.ts";
import type { Minimal } from "../minimalRun.ts";
import type { PlantedBug, Tier } from "../plantedBug.ts";
import type { Trial } from "../trial.ts";

/** Results for one bug. Numbers are transactions unless stated otherwise. */
export interface BugReport {
  readonly bug: number;
  readonly title: string;
  readonly tier: Tier;
  readonly budget: number;
  readonly trials: number;
  readonly detected: number;
  /** Detections whose first finding is an expected invariant. */
  readonly attributed: number;
  /** Median until the first detection; a miss counts as the budget. Undefined if the median trial missed. */
  readonly median: number | undefined;
  readonly p90: number | undefined;
  /** First invariants, most frequent first. */
  readonly found: readonly (readonly [name: string, times: number])[];
  /** Trials in which the line ran but the fault never showed: the cases are too weak. */
  readonly reachedNotTriggered: number;
  /** Trials in which the fault showed but no oracle saw it: the oracles are too weak. */
  readonly triggeredNotDetected: number;
  readonly neverReached: number;
  /** CPU time of all trials, without shrinking. */
  readonly cpuSeconds: number;
  /** Length of the shortest hand-written scenario, and of cases after shrinking. */
  readonly handLength: number | undefined;
  readonly shrunk: number | undefined;
  readonly ratio: number | undefined;
  /** Oracles that see the shortest scenario. */
  readonly seen: readonly string[];
}

export interface SearchReport {
  readonly bugs: readonly BugReport[];
  /** Bugs with trials. */
  readonly measured: number;
  /** Bugs found in all but one in twenty trials. */
  readonly reliable: number;
  /** Bugs with a median within 100,000 transactions. */
  readonly quick: number;
  readonly attribution: number | undefined;
  /** Median over bugs of shrunk length over hand-written length. */
  readonly ratio: number | undefined;
  readonly clean: { readonly transactions: number; readonly falseAlarms: number };
}

export interface SearchResults {
  readonly trials: readonly Trial[];
  readonly minimal: readonly Minimal[];
}

export function createSearchReport({ trials, minimal }: SearchResults): SearchReport {
  const reports = bugs.map((bug) =>
    reportBug(
      bug,
      trials.filter((trial) => trial.bug === bug.number),
      minimal.find((one) => one.bug === bug.number),
    ),
  );
  const measured = reports.filter((report) => report.trials > 0);
  const detected = measured.reduce((sum, report) => sum + report.detected, 0);
  const attributed = measured.reduce((sum, report) => sum + report.attributed, 0);
  // Before its fault shows, a bug has no effect: an earlier finding is a false alarm as well.
  const clean = trials.filter(({ bug, triggered }) => bug === 0 || triggered === 0);
  return {
    bugs: reports,
    measured: measured.length,
    reliable: measured.filter((report) => report.detected * 20 >= report.trials * 19).length,
    quick: measured.filter(({ median }) => median !== undefined && median <= 100_000).length,
    attribution: detected === 0 ? undefined : attributed / detected,
    ratio: quantile(
      measured.flatMap((report) => (report.ratio === undefined ? [] : [report.ratio])),
      0.5,
    ),
    clean: {
      transactions: clean.reduce((sum, trial) => sum + trial.transactions, 0),
      falseAlarms: clean.filter(({ finding }) => finding !== undefined).length,
    },
  };
}

function reportBug(bug: PlantedBug, all: readonly Trial[], minimal: Minimal | undefined): BugReport {
  // Only the trials with the most frequent, largest budget count; budgets are not mixed.
  const budget = all.reduce((most, trial) => Math.max(most, trial.budget), 0);
  const trials = all.filter((trial) => trial.budget === budget);
  const detected = trials.filter(isDetected);
  const times = trials.map((trial) => (isDetected(trial) ? trial.transactions : Number.POSITIVE_INFINITY));
  const found = new Map<string, number>();
  for (const { finding } of detected) found.set(finding!.invariant, (found.get(finding!.invariant) ?? 0) + 1);
  const shrunk = quantile(
    detected.flatMap((trial) => (trial.shrunk === undefined ? [] : [trial.shrunk])),
    0.5,
  );
  const missed = trials.filter((trial) => !isDetected(trial));
  return {
    bug: bug.number,
    title: bug.title,
    tier: bug.tier,
    budget,
    trials: trials.length,
    detected: detected.length,
    attributed: detected.filter((trial) => isExpected(bug, trial)).length,
    median: finite(quantile(times, 0.5)),
    p90: finite(quantile(times, 0.9)),
    found: [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
    reachedNotTriggered: missed.filter(({ reached, triggered }) => reached > 0 && triggered === 0).length,
    triggeredNotDetected: missed.filter(({ triggered }) => triggered > 0).length,
    neverReached: missed.filter(({ reached }) => reached === 0).length,
    cpuSeconds: Math.round(trials.reduce((sum, trial) => sum + trial.cpuSeconds, 0)),
    handLength: minimal?.transactions,
    shrunk,
    ratio: shrunk === undefined || minimal === undefined ? undefined : shrunk / minimal.transactions,
    seen: minimal?.seen ?? [],
  };
}

const CATALOGUE: ReadonlyMap<string, readonly string[]> = new Map(
  invariants.map(({ id, catalogue }) => [id, catalogue]),
);

/** Whether a finding is of the bug: before its fault shows, a bug has no effect. */
export function isDetected({ finding, triggered }: Attempt): boolean {
  return finding !== undefined && triggered > 0;
}

/** True if an expected invariant found the bug. */
export function isExpected({ expected }: PlantedBug, { finding }: Trial): boolean {
  if (finding === undefined) return false;
  const names = [finding.invariant, finding.kind, ...(CATALOGUE.get(finding.invariant) ?? [])];
  return names.some((name) => expected.includes(name));
}

/** Smallest value that at least this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}
