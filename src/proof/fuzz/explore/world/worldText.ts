import { countOf } from "../../../../ground/math/counts.ts";
import { formatCells, formatCount } from "../cells.ts";
import type { Written } from "../writeFinding.ts";
import { describeWritten } from "../writtenText.ts";
import { LEFT_OUT } from "./columns.ts";
import { sumReports, type WorldReport } from "./exploreWorlds.ts";
import { HEAVY_EVERY } from "./frontier.ts";
import type { StartReport, WorldFinding } from "./startReport.ts";

type WrittenFindings = ReadonlyMap<WorldFinding, Written>;

/** Renders what was explored for a terminal: exactly what was tried, up to which key, and with which checks. */
export function describeWorlds(reports: readonly WorldReport[], written: WrittenFindings): string {
  const rows = reports.flatMap(({ file, starts }) =>
    starts.map((start) => [
      `${file}${start.start === "" ? "" : ` (${start.start})`}`,
      ...[start.depth, start.states, start.transitions, start.merged, start.unchanged, start.traces].map(formatCount),
    ]),
  );
  const sums = sumReports(reports);
  const { worlds, starts, states, transitions, pairsTried, traces, heavyAtLast } = sums;
  const met = reports.flatMap((report) => report.starts.map((start) => start.met));
  const ids = [...new Set(met.flatMap((counts) => [...counts.keys()]))];
  const quiet = ids.filter((id) => met.every((counts) => (counts.get(id) ?? 0) === 0));
  const broken = reports.flatMap(({ file, starts: all, neverApplied, neverMet }) => [
    ...all.flatMap((start) => describeStart(file, start, written)),
    ...neverApplied.map((name) => `never applied in ${file}: ${name}`),
    ...neverMet.map((id) => `nothing to check in ${file}: ${id}`),
  ]);
  return [
    formatCells([["world", "depth", "states", "blocks", "merged", "unchanged", "traces"], ...rows]),
    "",
    `explored: all sequences of up to the depth of each of ${countOf(worlds, "world")}, from ${countOf(starts, "start")}`,
    `${countOf(states, "state")} up to the key, ${countOf(transitions, "block")} tried`,
    `every block: the light ones of ${countOf(ids.length, "invariant")}`,
    `the heavy ones: every new state of the last depth (${formatCount(heavyAtLast)}), ${describeSample(sums)}`,
    `${countOf(quiet.length, "invariant")} had nothing to check`,
    `${countOf(pairsTried, "merged pair")} tried for the same future; ${countOf(traces, "refused block")} left a trace`,
    `the key leaves out: ${LEFT_OUT.join("; ")}`,
    ...(broken.length === 0 ? ["everything held"] : ["", ...broken]),
  ].join("\n");
}

function describeSample({ before, heavyBefore }: ReturnType<typeof sumReports>): string {
  return `and one of ${HEAVY_EVERY} of the depths before (${formatCount(heavyBefore)} of ${formatCount(before)})`;
}

function describeStart(file: string, { start, findings, unequal }: StartReport, written: WrittenFindings): string[] {
  const place = `${file}${start === "" ? "" : ` (${start})`}`;
  return [
    ...findings.flatMap((finding) => [
      `${finding.violation.invariant} is broken: ${finding.violation.observed.split("\n")[0]}`,
      `  ${place}: ${finding.path.join(" > ")}${finding.more === 0 ? "" : `; ${countOf(finding.more, "further sequence")}`}`,
      describeWritten(written.get(finding)!),
    ]),
    ...unequal.flatMap(({ first, second, after, difference }) => [
      `two states with one key have different futures: ${difference} after ${after}`,
      `  ${place}: ${first.join(" > ") || "the start"}`,
      `  ${place}: ${second.join(" > ") || "the start"}`,
    ]),
  ];
}

/** The reports for programs. */
export function plainWorlds(reports: readonly WorldReport[], written: WrittenFindings): object {
  const worlds = reports.map(({ starts, ...world }) => ({
    ...world,
    starts: starts.map(({ met, findings, ...start }) => ({
      ...start,
      met: Object.fromEntries(met),
      findings: findings.map((finding) => {
        const { chronicle: _chronicle, ...plain } = finding;
        return { ...plain, ...written.get(finding) };
      }),
    })),
  }));
  return { ...sumReports(reports), leftOut: LEFT_OUT, list: worlds };
}
