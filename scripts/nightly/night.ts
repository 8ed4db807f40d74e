/** One run of everything that takes hours, as a line of `docs/evidence/nightly.jsonl` has it. */
export interface Night {
  /** UTC date on which it began, `2026-11-26`. */
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly cores: number;
  /** Part of the full sizes that ran, 1 for all. */
  readonly size: number;
  /** Seed of the searches, `commit` for that of the commit. */
  readonly seed: string;
  readonly steps: readonly StepResult[];
}

/** The result of one step. */
export interface StepResult {
  readonly id: string;
  /** Whether it ended as it should; a step that could not run at all is `skipped`. */
  readonly verdict: "passed" | "failed" | "skipped";
  readonly seconds: number;
  readonly figures: Figures;
  /** What failed, or why the step was skipped, a line each. */
  readonly notes: readonly string[];
}

/** Figures of a step by their names, in the order of the page. */
export type Figures = Readonly<Record<string, number | string>>;

/** Reads the lines of a history, the oldest first. */
export function readNights(text: string): Night[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Night);
}
