/** Renders `docs/adr/README.md`: the decisions by number. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listDecisions } from "../decisions.ts";
import { generatedFrom, table } from "../markdown.ts";

export const path = "docs/adr/README.md";

const folder = join(import.meta.dirname, "../../docs/adr");

export function render(): string {
  const decisions = listDecisions(readdirSync(folder), (file) => readFileSync(join(folder, file), "utf8"));
  const rows = decisions.map(({ number, title, file, status }) => [number, `[${title}](${file})`, status]);
  return `${generatedFrom("the pages of docs/adr")}
# Decisions

Each page has the context of a decision, the choice and its cost. A title is the decision. The number of a new decision is the
next one; \`0000-template.md\` is its form.

${table(["", "decision", "status"], rows)}
`;
}
