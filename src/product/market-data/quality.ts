/** Counts the faults in the data, and decides which are errors. */
import { DataError, FINDING_CODES } from "./errors.ts";
import type { Finding, FindingKind, FindingSample, QualityPolicy } from "./types.ts";

/** Every kind, in the order in which pages and messages list them. */
export const FINDING_KINDS: readonly FindingKind[] = [
  "malformed",
  "precision",
  "unsorted",
  "rounded",
  "duplicate",
  "conflict",
  "idOrder",
  "badOhlc",
  "unitSwitch",
  "nullRow",
  "gap",
  "stale",
  "offSchedule",
  "clock",
  "oneSided",
];

/** Findings that are no errors unless the policy denies them. */
const TOLERATED: readonly FindingKind[] = ["rounded", "nullRow", "gap", "stale", "offSchedule", "clock", "oneSided"];
const SAMPLES_MAX = 5;

const TREATMENTS: Readonly<Record<FindingKind, string>> = {
  malformed: "skipped",
  precision: "truncated toward zero",
  unsorted: "sorted by time, equal times in file order",
  rounded: "rounded toward zero",
  duplicate: "kept the first",
  conflict: "kept the first",
  idOrder: "kept",
  badOhlc: "skipped",
  unitSwitch: "refused",
  nullRow: "skipped",
  gap: "not filled",
  stale: "skipped",
  offSchedule: "kept as recorded",
  clock: "kept as recorded",
  oneSided: "kept as recorded",
};

/**
 * What to do about an error that comes without a hint of its own. No hint leaves out a row that is not a proven
 * duplicate.
 */
const HINTS: Readonly<Record<FindingKind, string>> = {
  malformed:
    "correct the row in the file; if the layout is wrong, perplab import --draft-mapping FILE writes a mapping",
  precision: "allow precision to cut such digits toward zero, or scale the column in a mapping file",
  unsorted: "sort the file by time, or allow unsorted to sort it in memory",
  rounded: "choose a column with fewer digits",
  duplicate: "remove the second row, or allow duplicate to keep the first of equal rows",
  conflict: "compare the two rows and remove the wrong one",
  idOrder: "if ids are unique but in no order, set rule: unique for the id in a mapping file",
  badOhlc:
    "correct the row in the file; a mapping file with openOutside: clamp accepts an open outside of low and high",
  unitSwitch: "split the file where the unit changes",
  nullRow: "remove the row from the file",
  gap: "add the missing rows",
  stale: "add the snapshot that the changes follow",
  offSchedule: "check the zone and the interval of the times",
  clock: "check the zone and the unit of both times",
  oneSided: "leave the side away in a mapping file if the recorder wrote one word in every row",
};

interface OpenFinding {
  readonly kind: FindingKind;
  readonly source: number;
  readonly treatment: string;
  count: number;
  readonly samples: FindingSample[];
}

/** What a caller knows of a finding beyond its kind. */
export interface FindingDetails {
  /** Action on the row; by default the usual one for the kind. */
  readonly treatment?: string;
  /** The mapping states the treatment, so the finding is no error unless it is denied. */
  readonly isDecided?: boolean;
  /** What corrects the file or its mapping. */
  readonly hint?: string | undefined;
  /** No policy allows it. */
  readonly isFatal?: true | undefined;
}

/** The findings of one reading. */
export class QualityLog {
  readonly allow: readonly FindingKind[];
  readonly deny: readonly FindingKind[];
  private readonly open = new Map<string, OpenFinding>();
  private readonly allowedBySource = new Map<number, ReadonlySet<FindingKind>>();
  private readonly files = new Map<number, string>();

  /** @throws {DataError} SOURCE_INVALID if the policy is not one */
  constructor(policy: QualityPolicy) {
    this.allow = checkKinds(policy.allow ?? []);
    this.deny = checkKinds(policy.deny ?? []);
    for (const kind of this.allow) {
      if (kind === "unitSwitch") throw new DataError("SOURCE_INVALID", "a change of the time unit cannot be allowed");
      if (this.deny.includes(kind)) throw new DataError("SOURCE_INVALID", `${kind} is both allowed and denied`);
    }
  }

  /** Names a source, with what its mapping allows. */
  addSource(source: number, file: string, allow: readonly FindingKind[]): void {
    this.files.set(source, file);
    this.allowedBySource.set(source, new Set(allow));
  }

  fileOf(source: number): string {
    return this.files.get(source) ?? `source ${source}`;
  }

  isAllowed(kind: FindingKind, source: number): boolean {
    if (this.deny.includes(kind)) return false;
    if (this.allow.includes(kind) || TOLERATED.includes(kind)) return true;
    return this.allowedBySource.get(source)?.has(kind) ?? false;
  }

  /**
   * Records a finding. The caller then treats the row as `treatment` says, by default as is usual for the kind.
   *
   * @throws {DataError} with the finding's code, if it is not allowed
   */
  report(
    kind: FindingKind,
    source: number,
    line: number,
    column: string,
    reason: string,
    { treatment, isDecided, hint, isFatal }: FindingDetails = {},
  ): void {
    const isDenied = this.deny.includes(kind);
    if (isFatal === true || isDenied || (isDecided !== true && !this.isAllowed(kind, source))) {
      throw new DataError(FINDING_CODES[kind], reason, {
        file: this.fileOf(source),
        line,
        column,
        hint: isDenied ? `the policy denies ${kind}; repair the file or drop the denial` : (hint ?? HINTS[kind]),
      });
    }
    const done = treatment ?? TREATMENTS[kind];
    const key = `${source} ${kind} ${done}`;
    let finding = this.open.get(key);
    if (finding === undefined) {
      finding = { kind, source, treatment: done, count: 0, samples: [] };
      this.open.set(key, finding);
    }
    finding.count++;
    if (finding.samples.length < SAMPLES_MAX) finding.samples.push({ line, column, reason });
  }

  /** All findings by source, then kind. */
  findings(): Finding[] {
    return [...this.open.values()]
      .sort((a, b) => a.source - b.source || FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind))
      .map((finding) => ({ ...finding, samples: [...finding.samples] }));
  }
}

function checkKinds(kinds: readonly string[]): FindingKind[] {
  for (const kind of kinds) {
    if (!FINDING_KINDS.includes(kind as FindingKind)) {
      throw new DataError("SOURCE_INVALID", `there is no finding "${kind}"`, {
        hint: `use one of ${FINDING_KINDS.join(", ")}`,
      });
    }
  }
  return [...new Set(kinds)] as FindingKind[];
}
