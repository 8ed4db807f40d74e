import { findNearest } from "../../../ground/collections/nearest.ts";
import { FuzzError } from "../errors.ts";

/** Identifiers of an invariant: its id and its numbers in the catalogue. */
export interface Named {
  readonly id: string;
  readonly catalogue?: readonly string[];
}

/**
 * Returns the invariants that match the patterns: `G*,-G07` selects every G of the catalogue except G07. A pattern is
 * an id or a catalogue number, with `*` for any letters. A leading `-` excludes. If no pattern includes, the exclusions
 * apply to all invariants.
 *
 * @throws FuzzError INVARIANT_UNKNOWN if a pattern matches none
 */
export function selectInvariants<Invariant extends Named>(all: readonly Invariant[], text: string): Invariant[] {
  const patterns = text
    .split(",")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
  const added = patterns.filter((pattern) => !pattern.startsWith("-"));
  const taken = patterns.filter((pattern) => pattern.startsWith("-")).map((pattern) => pattern.slice(1));
  for (const pattern of [...added, ...taken]) {
    if (all.some((invariant) => isNamed(invariant, pattern))) continue;
    const names = all.flatMap(({ id, catalogue = [] }) => [id, ...catalogue]);
    const nearest = findNearest(pattern, names);
    const guess = nearest === undefined ? "" : `did you mean ${nearest}? `;
    throw new FuzzError("INVARIANT_UNKNOWN", `no invariant matches ${JSON.stringify(pattern)}`, {
      hint: `${guess}docs/reference/invariants.md lists them; a pattern is an id or a number of the catalogue, with * for any letters`,
    });
  }
  return all.filter(
    (invariant) =>
      (added.length === 0 || added.some((pattern) => isNamed(invariant, pattern))) &&
      !taken.some((pattern) => isNamed(invariant, pattern)),
  );
}

function isNamed({ id, catalogue = [] }: Named, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[^\w]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`);
  return expression.test(id) || catalogue.some((number) => expression.test(number));
}
