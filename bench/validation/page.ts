import { generatedFrom, table } from "../../scripts/markdown.ts";
import { describeResults, type Results } from "./results.ts";

/** Renders docs/validation.md from the measured results. */
export function renderValidation(results: Results): string {
  const sections = describeResults(results);
  const rows = sections.map(({ title, result }) => [`[${title}](#${anchorOf(title)})`, result]);
  return `${generatedFrom("docs/evidence/validation.json")}
# Validation

This page compares perplab with recordings of real venues and with other backtesters. Every figure was measured by one command and comes
from \`docs/evidence/validation.json\`:

\`\`\`sh
npm run validation -- --install ../peers
\`\`\`

The recordings are not part of the repository. Their folders are named in each section, and a check without its data is skipped. Other
backtesters run in Python 3.11, each in an environment of its own, with every package pinned in \`bench/peers/environments\`. Without them the
checks that need them are skipped. \`--only\` and a name run one check.

${table(["check", "result"], rows)}

${sections.map(({ title, text }) => `## ${title}\n\n${text}`).join("\n\n")}
`;
}

/** The place of a title in a rendered page. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}
