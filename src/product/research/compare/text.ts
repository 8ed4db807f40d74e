import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { formatTime } from "../../report/text/times.ts";
import type { BundleComparison } from "./compareBundles.ts";
import type { LogComparison } from "./compareLogs.ts";
import type { DifferenceGroup } from "./difference.ts";
import type { Comparison } from "./model.ts";

/** A comparison for a terminal. */
export function renderComparison(comparison: Comparison): string {
  const lines = comparison.kind === "logs" ? describeLogs(comparison) : describeGroups(comparison);
  return lines.join("\n");
}

/** The result in one sentence. */
export function describeComparison(comparison: Comparison): string {
  if (comparison.kind === "bundles") return describeBundles(comparison);
  if (comparison.kind === "reports") {
    if (comparison.equal) return "the runs are equal: strategy, data, options and results";
    return `the runs differ in ${comparison.groups.map(({ topic }) => topic).join(", ")}`;
  }
  const { equal, block, equalBlocks, heights, genesis } = comparison;
  if (equal) return `the logs are equal: ${countOf(equalBlocks, "block")}`;
  if (block !== undefined) return `block ${formatCount(block.height)} is the first that differs`;
  if (heights.a !== undefined && heights.b !== undefined && genesis.length > 0) return "only the genesis differs";
  const [ended, other] = heights.a === undefined ? ["B", "A"] : ["A", "B"];
  return `every block that both have is equal; ${ended} ends at block ${formatCount(equalBlocks)}, and ${other} continues`;
}

function describeLogs(comparison: LogComparison): string[] {
  const { block, genesis } = comparison;
  return [
    capitalise(describeComparison(comparison)),
    ...genesis.flatMap(describeGroup),
    ...(block === undefined
      ? []
      : [
          "",
          `Block ${formatCount(block.height)}, ${formatTime(block.timeMs.a)} UTC`,
          ...block.groups.flatMap(describeGroup),
        ]),
  ];
}

function describeGroups(comparison: Exclude<Comparison, LogComparison>): string[] {
  return [capitalise(describeComparison(comparison)), ...comparison.groups.flatMap(describeGroup)];
}

function describeBundles({ equal, groups, firstBlock, equalBlocks }: BundleComparison): string {
  if (equal) return `the bundles are equal: strategy, data, options and ${countOf(equalBlocks, "block")}`;
  const topics = groups.map(({ topic }) => topic).join(", ");
  const what = topics === "" ? "" : `the bundles differ in ${topics}; `;
  if (firstBlock === undefined) return `${what}all ${countOf(equalBlocks, "block has", "blocks have")} the same events`;
  return `${what}block ${formatCount(firstBlock)} is the first that differs`;
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function describeGroup({ topic, differences, more }: DifferenceGroup): string[] {
  const rows = [["", "A", "B"], ...differences.map(({ place, a, b }) => [place, a, b])];
  const widths = [0, 1].map((column) => Math.min(80, Math.max(...rows.map((row) => row[column]!.length))));
  return [
    "",
    capitalise(topic).replace(/\.$/, ""),
    ...rows.map((row) => `  ${row[0]!.padEnd(widths[0]!)}  ${row[1]!.padEnd(widths[1]!)}  ${row[2]}`.trimEnd()),
    ...(more === 0 ? [] : [`  … and ${formatCount(more)} more`]),
  ];
}
