/** Renders `docs/reference/invariants.md`: everything that always holds. */
import type { When } from "../../src/proof/invariants/defineInvariant.ts";
import { invariants, listInvariants } from "../../src/proof/invariants/list.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/invariants.md";

const CLASSES: readonly (readonly [When, string])[] = [
  ["transaction", "after every transaction and step of a block, at what it touched"],
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

What always holds, the sections of the protocol that say so, and the name under which a violation is reported: ${invariants.length}
invariants. *Swept* are those that look at everything after a block, too; heavy ones do so in turns in a campaign. Each counts how
often what it speaks of was there (\`Watch.met\`): one that never met its case says nothing. \`npm run fuzz:smoke\` looks for where
one does not hold, and every one has faults planted in tests that it finds.

Those with a *distance* say how near the venue came to breaking them, and a search goes where that is least.

*Catalogue* are the rows of the catalogue of invariants that one stands for.${listOpen(covered)}

${parts.filter((part) => part !== "").join("\n")}`;
}

/** Rows of the catalogue that no invariant of this list stands for, and what holds them. */
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
  X01: "the campaign's list of what must be reached",
};
/** Rows of which invariants hold a part, and what holds the rest. */
const PARTLY: Readonly<Record<string, string>> = {
  F02: "that it does not matter when positions settle: the pair `settlingIsFree`",
  D07: "transactions of other markets: nothing",
  L09: "that the fund went as far as it may before anybody is deleveraged: the model",
  L10: "the order of ranks: the model, `continuity` for ties",
};
/** Why nothing holds a row. */
const OPEN: Readonly<Record<string, string>> = {
  F05: "an interval is paid by the parameters that stand at its end",
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
  const told = elsewhere.map((name) => `${name} (${ELSEWHERE[name]})`).join(", ");
  const partly = Object.entries(PARTLY).map(([name, rest]) => `${name} (${rest})`);
  const missing = open.map((name) => (OPEN[name] === undefined ? name : `${name} (${OPEN[name]})`));
  const last = missing.length === 0 ? "" : ` Open: ${missing.join(", ")}.`;
  return ` Held elsewhere: ${told}. Held in part, with what holds the rest: ${partly.join("; ")}.${last}`;
}
