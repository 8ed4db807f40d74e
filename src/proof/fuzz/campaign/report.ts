import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import type { InvalidCode, RejectionCode } from "../../../protocol/rejections.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../protocol/rejections.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import type { Campaign, NearestCase } from "./campaign.ts";
import type { DigestMark } from "./digests.ts";
import { findMissing } from "./expected.ts";
import type { FailureNote, Failures } from "./failures.ts";

/** Outcomes of the transactions of one action. */
export interface OperationRow {
  readonly action: string;
  readonly calls: number;
  readonly applied: number;
  readonly rejected: Readonly<Partial<Record<RejectionCode, number>>>;
  readonly invalid: Readonly<Partial<Record<InvalidCode, number>>>;
}

/** The smallest slack of an invariant in any case. */
export interface NearestRow extends NearestCase {
  readonly id: string;
  readonly unit: string;
}

/** Search result. Deterministic except for `seconds`. */
export interface SearchReport {
  readonly seed: number;
  readonly profile: string;
  readonly verdict: "held" | "violated" | "differs" | "vacuous";
  readonly iterations: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly seconds: number;
  /** Places of the coverage map that were reached, and cases in the pool. */
  readonly places: number;
  readonly pool: number;
  readonly operations: readonly OperationRow[];
  /** Number of times each invariant had something to check. */
  readonly invariants: readonly { readonly id: string; readonly met: number }[];
  /** Smallest slack of each invariant that reports one, the smallest first. */
  readonly nearest: readonly NearestRow[];
  /** Places that a search of this length should have reached but did not. */
  readonly missing: readonly string[];
  /** Planted faults that were not found. */
  readonly blind: readonly string[];
  readonly failures: readonly FailureNote[];
  /** Number of violations, including repetitions. */
  readonly violations: number;
  readonly digest: string;
  readonly marks: readonly DigestMark[];
  readonly reached: Readonly<Record<string, number>>;
}

interface Ingredients {
  readonly campaign: Campaign;
  readonly profile: string;
  readonly watched: readonly Invariant[];
  readonly failures: Failures;
  readonly blind: readonly string[];
  readonly seconds: number;
}

export function createReport({ campaign, profile, watched, failures, blind, seconds }: Ingredients): SearchReport {
  const { seed, iteration, blocks, transactions, coverage, pool, digests, met } = campaign;
  const reached = coverage.named();
  const missing = findMissing(reached, transactions);
  const isDifferent = failures.notes.some(({ violation }) => violation.kind === "determinism");
  const verdict = isDifferent
    ? "differs"
    : failures.notes.length > 0
      ? "violated"
      : missing.length + blind.length > 0 || campaign.transactions === 0
        ? "vacuous"
        : "held";
  return {
    seed,
    profile,
    verdict,
    iterations: iteration,
    blocks,
    transactions,
    seconds,
    places: coverage.places,
    pool: pool.entries.length,
    operations: ACTION_NAMES.map((action) => readOperation(action, reached)),
    invariants: watched.map(({ id }) => ({ id, met: met.get(id) ?? 0 })),
    nearest: listNearest(watched, campaign),
    missing,
    blind,
    failures: failures.notes,
    violations: failures.count,
    digest: digests.value,
    marks: digests.marks,
    reached: Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function listNearest(watched: readonly Invariant[], { nearest }: Campaign): NearestRow[] {
  const rows = watched.flatMap(({ id, slack: unit }) => {
    const one = nearest.get(id);
    return unit === undefined || one === undefined ? [] : [{ id, unit, ...one }];
  });
  return rows.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
}

function readOperation(action: string, reached: ReadonlyMap<string, number>): OperationRow {
  const applied = reached.get(`${action} applied`) ?? 0;
  const rejected = countsOf(action, REJECTION_NAMES, reached);
  const invalid = countsOf(action, INVALID_NAMES, reached);
  const calls = [applied, ...Object.values(rejected), ...Object.values(invalid)].reduce((sum, count) => sum + count, 0);
  return { action, calls, applied, rejected, invalid };
}

/** Counts per code, the greatest first. */
function countsOf<Code extends string>(
  action: string,
  codes: readonly Code[],
  reached: ReadonlyMap<string, number>,
): Partial<Record<Code, number>> {
  const counts = codes.flatMap((code) => {
    const count = reached.get(`${action} ${code}`);
    return count === undefined ? [] : [[code, count] as const];
  });
  return Object.fromEntries(counts.sort(([, a], [, b]) => b - a)) as Partial<Record<Code, number>>;
}
