/** Renders `docs/evidence/traceability.md`: every statement of the specification, and its proof. */
import { PROOFS } from "../coverage/statementProofs.ts";
import { OPEN, SECTIONS } from "../coverage/statements.ts";
import { generatedFrom, table } from "../markdown.ts";

export const path = "docs/evidence/traceability.md";

export function render(): string {
  const count = SECTIONS.reduce((sum, { statements }) => sum + statements.length, 0);
  const open = Object.entries(OPEN);
  const pages = SECTIONS.map(({ title, statements }) => {
    const rows = statements.map(({ id, says }) => [id, says, [...describeOpen(id), ...listProofs(id)].join("<br>")]);
    return `### ${title}\n\n${table(["", "statement", "proven by"], rows)}`;
  });
  const list = open.map(([id, missing]) => `- ${id}: ${missing}.`);
  return `${generatedFrom("scripts/coverage/statements.ts and statementProofs.ts")}
# The specification of the service, statement by statement

${count} statements: ${count - open.length} proven, ${open.length} open.

${list.join("\n")}

Each statement quotes the specification, and together they quote all of it. \`npm test\` fails if a row differs from the
specification's sentence, or has neither a test nor a line above. It also fails if a test that is named here does not exist.
Cells of the specification's tables are separated by \`|\`. The [rulebook](../spec/README.md) decides
points that the specification leaves open.

${pages.join("\n\n")}
`;
}

function describeOpen(id: string): string[] {
  const missing = OPEN[id];
  return missing === undefined ? [] : [`**open**: ${missing}`];
}

/** The package does not have the tests of Python, so its pages do not link to them. */
function linkFile(path: string): string {
  return path.startsWith("python/") ? `\`${path}\`` : `[${path}](../../${path})`;
}

function listProofs(id: string): string[] {
  return (PROOFS[id] ?? []).map((proof) =>
    typeof proof === "string" ? linkFile(proof) : `${proof[1]} ([test](../../${proof[0]}))`,
  );
}
