import type { Figures, Night } from "./night.ts";

/** Nights on the page; the history has all. */
const NIGHTS_SHOWN = 60;

/** The page of trends: for each step a table of its figures, the newest night first. */
export function renderNights(nights: readonly Night[]): string {
  const shown = nights.slice(-NIGHTS_SHOWN).reverse();
  const ids = [...new Set(shown.flatMap(({ steps }) => steps.map(({ id }) => id)))];
  return [
    "# Nights",
    "",
    "What no check of a change has time for, by night. `npm run nightly` makes it; its sizes are in",
    "`scripts/nightly/steps.ts`. The size is the part of them that ran: 1 is all.",
    "",
    ...ids.flatMap((id) => renderStep(id, shown)),
  ].join("\n");
}

function renderStep(id: string, nights: readonly Night[]): string[] {
  const rows = nights.flatMap((night) => night.steps.filter((step) => step.id === id).map((step) => ({ night, step })));
  const names = [...new Set(rows.flatMap(({ step }) => Object.keys(step.figures)))];
  const head = ["date", "commit", "Node", "cores", "size", "verdict", "minutes", ...names];
  return [
    `## ${id}`,
    "",
    renderRow(head),
    renderRow(head.map((_, at) => (at < 3 || at === 5 ? "---" : "---:"))),
    ...rows.map(({ night, step }) =>
      renderRow([
        night.date,
        `\`${night.commit.slice(0, 8)}\``,
        night.node,
        String(night.cores),
        String(night.size),
        step.verdict === "passed" ? "passed" : `${step.verdict}: ${step.notes.join("; ")}`,
        (step.seconds / 60).toFixed(1),
        ...names.map((name) => renderFigure(step.figures, name)),
      ]),
    ),
    "",
  ];
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function renderFigure(figures: Figures, name: string): string {
  const value = figures[name];
  if (value === undefined) return "";
  return typeof value === "string" ? `\`${value}\`` : Number.isInteger(value) ? String(value) : value.toFixed(3);
}
