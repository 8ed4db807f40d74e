import { TIERS } from "../plantedBug.ts";
import type { BugReport, SearchReport } from "./searchReport.ts";

/** Requirement: this many seeds, each within its tier's budget, with a finding in all but one. */
const SEEDS = 20;

/** The section of the search, in Markdown. */
export function renderSearch(report: SearchReport): string[] {
  const { bugs, measured, reliable, quick, attribution, ratio, clean } = report;
  const searched = bugs.filter(({ trials }) => trials > 0);
  if (searched.length === 0) return [];
  return [
    "## Search",
    "",
    `Of ${bugs.length} planted bugs ${measured} were searched for.`,
    ...describeRun(searched),
    "",
    `- ${describeReliable(searched)}: ${reliable} of ${measured}`,
    `- median detection within 100,000 transactions: ${quick} of ${measured}`,
    `- found first by an expected invariant: ${attribution === undefined ? "-" : `${(attribution * 100).toFixed(1)} %`}`,
    `- median length after shrinking, of the seeds that were shrunk, over the length by hand: ${ratio === undefined ? "-" : ratio.toFixed(2)}`,
    `- false alarms: ${clean.falseAlarms} in ${clean.transactions} transactions in which no fault had shown`,
    "",
    "| bug | tier | found | median | p90 | own reason | first seen by | shrunk / by hand | missed: never reached, not triggered, not seen | CPU s |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...searched.map(renderBug),
    "",
    "Times are transactions until the first detection; a dash is beyond the budget. CPU time is of all seeds, without shrinking.",
    "",
  ];
}

/** The section of the shortest scenarios, in Markdown. */
export function renderMinimal({ bugs }: SearchReport): string[] {
  return [
    "## The shortest scenarios",
    "",
    "The checks that fail in the scenario written by hand, with every invariant after every transaction. Bugs from 41 on have none.",
    "",
    "| bug | transactions | seen by |",
    "|---|---|---|",
    ...bugs
      .filter(({ handLength }) => handLength !== undefined)
      .map(({ bug, title, handLength, seen }) => `| ${bug} ${title} | ${handLength} | ${seen.join(", ") || "-"} |`),
  ];
}

/** Describes the amount of searching, and the requirement if the run did less. */
function describeRun(bugs: readonly BugReport[]): string[] {
  if (bugs.length === 0) return [];
  const trials = bugs.reduce((sum, bug) => sum + bug.trials, 0);
  const tiers = (Object.keys(TIERS) as (keyof typeof TIERS)[]).flatMap((tier) => {
    const budgets = bugs.filter((bug) => bug.tier === tier).map(({ budget }) => budget);
    if (budgets.length === 0) return [];
    const cut = Math.min(...budgets) < TIERS[tier] ? `, not the ${write(TIERS[tier])} of its tier` : "";
    return [`${tier} ${range(budgets)}${cut}`];
  });
  const seeds = bugs.map((bug) => bug.trials);
  const fewer = Math.min(...seeds) < SEEDS ? ` (the benchmark asks for ${SEEDS})` : "";
  return [
    `${write(trials)} trials: ${range(seeds)} seeds a bug${fewer}, each up to a budget of transactions: ${tiers.join("; ")}.`,
  ];
}

/** Required share of seeds with a finding: all but one in twenty, so all of fewer than twenty. */
function describeReliable(bugs: readonly BugReport[]): string {
  const seeds = bugs.map(({ trials }) => trials);
  if (seeds.every((count) => count < SEEDS)) return `found from every one of ${range(seeds)} seeds`;
  return "found from at least 19 in 20 of its seeds";
}

/** `2`, or `2 to 5`. */
function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? write(least) : `${write(least)} to ${write(most)}`;
}

function write(value: number): string {
  return value.toLocaleString("en");
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
    report.cpuSeconds,
  ];
  return `| ${cells.join(" | ")} |`;
}
