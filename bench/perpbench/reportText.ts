import type { BenchReport, BugReport } from "./report.ts";

/** The report as Markdown. */
export function renderBenchReport(report: BenchReport): string {
  const { bugs, measured, reliable, quick, attribution, ratio, clean, version } = report;
  const measuredBugs = bugs.filter(({ trials }) => trials > 0);
  const lines = [
    "# Planted bugs",
    "",
    `Of ${bugs.length} planted bugs ${measured} were searched for (copy ${version}).`,
    "",
    `- found in at least 19 of 20 seeds: ${reliable} of ${measured}`,
    `- median detection within 100,000 transactions: ${quick} of ${measured}`,
    `- found first by an expected invariant: ${attribution === undefined ? "-" : `${(attribution * 100).toFixed(1)} %`}`,
    `- median length after shrinking over the length by hand: ${ratio === undefined ? "-" : ratio.toFixed(2)}`,
    `- false alarms: ${clean.falseAlarms} in ${clean.transactions} transactions in which no fault had shown`,
    "",
    "| bug | tier | found | median | p90 | own reason | first seen by | shrunk / by hand | missed: never reached, not triggered, not seen |",
    "|---|---|---|---|---|---|---|---|---|",
    ...measuredBugs.map(renderBug),
    "",
    "Times are transactions until the first detection; a dash is beyond the budget.",
    "",
    "## The shortest scenarios",
    "",
    "What sees the scenario that was written by hand, with every invariant after every transaction.",
    "",
    "| bug | transactions | seen by |",
    "|---|---|---|",
    ...bugs.map(
      ({ bug, title, handLength, seen }) => `| ${bug} ${title} | ${handLength ?? "-"} | ${seen.join(", ") || "-"} |`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function renderBug(report: BugReport): string {
  const { bug, title, tier, trials, detected, median, p90, attributed, found, shrunk, handLength } = report;
  const cells = [
    `${bug} ${title}`,
    tier,
    `${detected}/${trials}`,
    median ?? "-",
    p90 ?? "-",
    detected === 0 ? "-" : `${attributed}/${detected}`,
    found.map(([name, times]) => `${name} ${times}`).join(", ") || "-",
    `${shrunk ?? "-"} / ${handLength ?? "-"}`,
    `${report.neverReached}, ${report.reachedNotTriggered}, ${report.triggeredNotDetected}`,
  ];
  return `| ${cells.join(" | ")} |`;
}
