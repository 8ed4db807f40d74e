/** Renders `docs/reference/invariants.md`: the list of invariants. */

import { invariants, listInvariants } from "../../src/proof/invariants/list.ts";
import type { When } from "../../src/proof/invariants/machinery/defineInvariant.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/invariants.md";

const CLASSES: readonly (readonly [When, string])[] = [
  ["transaction", "after every transaction and step of a block, on the rows that it touched"],
  ["events", "of events, one by one, in their order"],
  ["block", "after every block"],
  ["sequence", "of pairs of whole sequences of blocks"],
];

export function render(): string {
  const parts = CLASSES.map(([when, words]) => {
    const rows = listInvariants(when).map(({ id, sentence, rules, catalogue, sweep, heavy, slack = "" }) => [
      code(id),
      sentence,
      rules.join(", "),
      catalogue.join(", "),
      heavy === true ? "in turns" : sweep === undefined ? "" : "yes",
      slack,
    ]);
    if (rows.length === 0) return "";
    return `## What holds ${words}\n\n${table(["name", "what holds", "rules", "catalogue", "swept", "distance in"], rows)}\n`;
  });
  const covered = new Set(invariants.flatMap(({ catalogue }) => catalogue));
  return `${generatedFrom("src/proof/invariants")}
# Invariants

${invariants.length} invariants, each with the rules that require it and the name under which a violation is reported. A *swept* invariant also
checks the whole venue after a block; in a campaign heavy ones take turns. Each invariant counts the cases that it checked
(\`Watch.met\`): one that never met its case proves nothing. \`npm run fuzz:smoke\` searches for violations, and tests plant
faults that each invariant must find.

An invariant with a *distance* reports how near the venue came to breaking it; a search seeks the least distance.

*Catalogue* lists the rows of the catalogue of invariants that an invariant covers.${listOpen(covered)}

${parts.filter((part) => part !== "").join("\n")}`;
}

/** Rows of the catalogue that no invariant of this list covers, and where they are checked. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  B11: "the book's slow twin in the tests, and the model",
  D02: "`test/venue/engine/frozen.test.ts`",
  D04: "the pair `namesDoNotMatter`, `test/proof/invariants/renamed.test.ts`",
  D05: "the pair `sidesDoNotMatter`, for orders and sizes",
  D06: "the pair `unitsDoNotMatter`, for the unit of the base",
  D08: "`scripts/testRuntimes.ts`",
  D09: "`npm run check:pure`",
  S01: "the service",
  S02: "the service",
  S03: "the service",
  S04: "the service",
  X01: "the campaign's list of cases to reach",
};
/** Rows that invariants cover in part, and the checks of the rest. */
const PARTLY: Readonly<Record<string, string>> = {
  F02: "independence of the time of settlement: the pair `settlingIsFree`",
  D07: "transactions of other markets: not checked",
  L09: "the fund pays all it may before any account is deleveraged: the model",
  L10: "the order of ranks: the model, `continuity` for ties",
};
/** Why no check covers a row. */
const OPEN: Readonly<Record<string, string>> = {
  F05: "an interval is paid by the parameters at its end",
};
const ROWS: readonly (readonly [string, number])[] = [
  ["G", 12],
  ["B", 11],
  ["P", 6],
  ["M", 8],
  ["F", 7],
  ["L", 15],
  ["T", 10],
  ["D", 9],
  ["S", 4],
  ["X", 1],
];

function listOpen(covered: ReadonlySet<string>): string {
  const names = ROWS.flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, place) => `${letter}${String(place + 1).padStart(2, "0")}`),
  );
  const elsewhere = names.filter((name) => !covered.has(name) && ELSEWHERE[name] !== undefined);
  const open = names.filter((name) => !covered.has(name) && ELSEWHERE[name] === undefined);
  const listed = elsewhere.map((name) => `${name} (${ELSEWHERE[name]})`).join(", ");
  const partly = Object.entries(PARTLY).map(([name, rest]) => `${name} (${rest})`);
  const missing = open.map((name) => (OPEN[name] === undefined ? name : `${name} (${OPEN[name]})`));
  const last = missing.length === 0 ? "" : ` Open: ${missing.join(", ")}.`;
  return ` Checked elsewhere: ${listed}. Covered in part, with the check of the rest: ${partly.join("; ")}.${last}`;
}
