/** Renders `docs/reference/invariants.md`: everything that always holds. */
import { invariants } from "../../src/invariants/list.ts";
import { code, generatedFrom, table } from "../markdown.ts";

export const path = "docs/reference/invariants.md";

export function render(): string {
  const rows = invariants.map(({ id, sentence, rules, when }) => [code(id), sentence, rules.join(", "), when]);
  return `${generatedFrom("src/invariants")}
# Invariants

What holds after every block, or after every user transaction, the sections of the protocol that say so, and the name under
which a violation is reported. \`npm run fuzz:smoke\` looks for where one does not hold.

${table(["name", "what holds", "rules", "after every"], rows)}
`;
}
