/** Renders `docs/spec/traceability.md`: every statement of the specification, and what proves it. */
import { PROOFS } from "../coverage/statementProofs.ts";
import { SECTIONS } from "../coverage/statements.ts";
import { generatedFrom, table } from "../markdown.ts";

export const path = "docs/spec/traceability.md";

export function render(): string {
  const count = SECTIONS.reduce((sum, { statements }) => sum + statements.length, 0);
  const pages = SECTIONS.map(({ title, statements }) => {
    const rows = statements.map(({ id, says }) => [
      id,
      says,
      (PROOFS[id] ?? [])
        .map((proof) =>
          typeof proof === "string" ? `[${proof}](../../${proof})` : `${proof[1]} ([test](../../${proof[0]}))`,
        )
        .join("<br>"),
    ]);
    return `### ${title}\n\n${table(["", "statement", "proven by"], rows)}`;
  });
  return `${generatedFrom("scripts/coverage/statements.ts and statementProofs.ts")}
# The specification of the service, statement by statement

${count} statements. One without a test that proves it fails \`npm test\`, and so does a test that is named here and does not
exist. Where the specification leaves something open, the rulebook beside this page decides.

${pages.join("\n\n")}
`;
}
