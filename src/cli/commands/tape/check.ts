import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import type { MarketCheck } from "../../../product/market-data/check/checkData.ts";
import type { ClockResult } from "../../../product/market-data/check/clockCheck.ts";
import type { ComparisonResult } from "../../../product/market-data/check/comparison.ts";
import { formatDuration } from "../../../product/market-data/durations.ts";
import { defineCommand } from "../../command.ts";
import { failure } from "../../fail.ts";
import { formatColumns, formatTime } from "../../format.ts";
import { openSources } from "../../openSources.ts";

interface Options {
  readonly strict?: boolean;
}

/** Streams of recorded data, compared with each other. */
export const tapeCheckCommand = defineCommand<Options>({
  name: "check",
  summary: "Compare the streams of recorded data with each other",
  description:
    "Reads all of the data, which checks every hash of a tape. Builds each order book and compares its best bid and ask with the " +
    "recorded quotes; builds bars from trades and compares them with the recorded ones. Finds reference prices whose clock is not that of the bars. Counts crossed and locked books and " +
    "missing updates. With --strict, a difference ends with exit code 1.",
  examples: [{ args: "tape check btc-2024.tape", does: "Whether the tape is whole, and its streams agree" }],
  configure(command) {
    command
      .argument("<data...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .option("--strict", "fail where a recorded value differs, a book is crossed, or an update is missing");
  },
  async run(context, data, { strict }) {
    const { checkData } = await import("../../../product/market-data/check/checkData.ts");
    const { terminal, json } = context;
    const source = await openSources(context, { data, silent: json });
    try {
      const checks = await checkData(source);
      if (json) terminal.out(JSON.stringify({ events: source.manifest.events, markets: checks }));
      else terminal.out(formatChecks(source.manifest.events, checks));
      const faulty = checks.filter(isFaulty).map(({ market }) => market);
      if (strict === true && faulty.length > 0) {
        throw failure("DATA_DIFFERS", "the streams do not agree", { place: faulty.join(", ") });
      }
    } finally {
      await source.close();
    }
  },
});

function formatClock({ compared, lateMs }: ClockResult): string {
  if (lateMs === 0) return `agree, by ${formatCount(compared)} pairs`;
  const length = formatDuration(Math.abs(lateMs)) ?? `${Math.abs(lateMs)} ms`;
  return `differ: reference prices are ${length} ${lateMs > 0 ? "late" : "early"}; check the zones, and whether a bar is labelled by its open or its close`;
}

const differs = ({ compared, equal }: ComparisonResult) => equal < compared;

function isFaulty({ book, bars, clock }: MarketCheck): boolean {
  if (clock !== undefined && clock.lateMs !== 0) return true;
  if (bars !== undefined && differs(bars)) return true;
  return book !== undefined && (differs(book.quotes) || book.gaps > 0 || book.crossed > 0);
}

function formatChecks(events: number, checks: readonly MarketCheck[]): string {
  const lines = [`${countOf(events, "event")}, every one read`];
  for (const { market, book, bars, clock } of checks) {
    lines.push("", market);
    if (book === undefined && bars === undefined && clock === undefined)
      lines.push("  nothing to compare: no order book, no bars with trades or reference prices");
    if (clock !== undefined) lines.push(`  clocks of bars and reference prices  ${formatClock(clock)}`);
    if (book !== undefined) {
      const { rows, snapshots, levelsMost, gaps, crossed, locked, quotes } = book;
      const counts = [
        [
          "  order book",
          `${countOf(rows, "row")}, ${countOf(snapshots, "snapshot")}, at most ${countOf(levelsMost, "level")}`,
        ],
        ["  updates missing", formatCount(gaps)],
        ["  crossed, locked", `${formatCount(crossed)}, ${formatCount(locked)}`],
        ["  best bid and ask", formatComparison(quotes, "equal the recorded quotes")],
      ];
      lines.push(formatColumns(counts), ...formatDifferences(quotes));
    }
    if (bars !== undefined) {
      lines.push(
        `  bars built from trades  ${formatComparison(bars, "equal the recorded bars")}`,
        ...formatDifferences(bars),
      );
    }
  }
  return lines.join("\n");
}

function formatComparison({ compared, equal }: ComparisonResult, what: string): string {
  return compared === 0 ? "nothing to compare" : `${formatCount(equal)} of ${formatCount(compared)} ${what}`;
}

function formatDifferences({ differences }: ComparisonResult): string[] {
  return differences.map(
    ({ timeMs, what, recorded, rebuilt }) =>
      `    ${formatTime(timeMs)} ${what}: ${formatDecimal(recorded, 8)} recorded, ${formatDecimal(rebuilt, 8)} built`,
  );
}
