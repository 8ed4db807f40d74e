import { basename } from "node:path";
import { countOf } from "../../src/ground/math/counts.ts";
import { HEAVY_EVERY } from "../../src/proof/fuzz/explore/world/frontier.ts";
import type { ExploreJob, ExploreRow } from "./job.ts";

/** What the run of all starts showed, with the checks of its day. */
export interface Figures {
  /** Hash of the sources and worlds. */
  readonly version: string;
  /** Ids of invariants: those on every block, and those on new states alone. */
  readonly light: readonly string[];
  readonly heavy: readonly string[];
  /** What the key of a state leaves out. */
  readonly leftOut: readonly string[];
  readonly rows: readonly ExploreRow[];
}

const count = (value: number): string => value.toLocaleString("en-US");

/** Renders what was explored: a row for each start, the checks at each state, and what was only sampled. */
export function renderPage({ rows, light, heavy, leftOut }: Figures): string {
  const sum = (of: (row: ExploreRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const unmet = [...light, ...heavy].filter((id) => rows.every((row) => row.unmet.includes(id)));
  const broken = rows.flatMap(({ world, start, broken }) =>
    broken.map((fault) => `- ${nameOf(world, start)}: ${fault}`),
  );
  const seconds = sum((row) => row.seconds);
  const atLast = sum((row) => row.heavyAtLast);
  const before = sum((row) => row.states - 1 - row.heavyAtLast);
  return `# What was explored

All sequences of blocks of ${new Set(rows.map(({ world }) => world)).size} small worlds, from ${rows.length} starts, up to the depth
of each row: ${count(sum((row) => row.states))} states up to the key, ${count(sum((row) => row.transitions))} blocks tried, ${count(Math.round(seconds))} s of CPU time
([decision 46](../adr/0046-small-worlds-are-explored-whole.md)). It shows nothing about longer sequences or other numbers.

| world | start | depth | states | blocks | merged | unchanged | traces | seconds | blocks a second | without heavy ones |
|---|---|---|---|---|---|---|---|---|---|---|
${rows.map(rowOf).join("\n")}

Seconds are those of CPU time, on a machine that does other work. With heavy invariants it was ${rateOf(rows, false)} blocks a second, without
their time ${rateOf(rows, true)}.

## Checks

| at | checks |
|---|---|
| every block | ${light.length} light invariants, and the reference model |
| every new state of the last depth (${count(atLast)}), and one of ${HEAVY_EVERY} of the depths before (${count(sum((row) => row.heavyBefore))} of ${count(before)}) | ${heavy.length} heavy invariants: ${listIds(heavy)} |
| one merged pair of 64 (${count(sum((row) => row.pairsTried))} of ${count(sum((row) => row.merged))}) | the same future after every block of the alphabet |

Some heavy invariants check a part of their cases at each of these states, and another part at the next: copies, forks, price moves.

${unmet.length === 0 ? "Every invariant had something to check." : `${countOf(unmet.length, "invariant")} had nothing to check: ${listIds(unmet)}.`}

The key leaves out:

${leftOut.map((part) => `- ${part}`).join("\n")}

## Found

${broken.length === 0 ? "Every check held." : broken.join("\n")}
`;
}

function listIds(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(", ");
}

function rowOf(row: ExploreRow): string {
  const { world, start, depth, states, transitions, merged, unchanged, traces, seconds } = row;
  const rates = [rateOf([row], false), rateOf([row], true)];
  const counts = [depth, states, transitions, merged, unchanged, traces].map(count);
  return `| ${[basename(world, ".yaml"), start, ...counts, seconds.toFixed(1), ...rates].join(" | ")} |`;
}

/** Blocks a second of CPU time. */
function rateOf(rows: readonly ExploreRow[], withoutHeavy: boolean): string {
  const seconds = rows.reduce((sum, row) => sum + row.seconds - (withoutHeavy ? row.heavySeconds : 0), 0);
  const blocks = rows.reduce((sum, { transitions }) => sum + transitions, 0);
  return seconds <= 0 ? "" : count(Math.round(blocks / seconds));
}

function nameOf(world: string, start: string): string {
  return start === "" ? basename(world, ".yaml") : `${basename(world, ".yaml")} (${start})`;
}

/** The deepest exploration of a start; there is one. */
export function findDeepest(rows: readonly ExploreRow[], { world, place }: ExploreJob): ExploreRow {
  const own = rows.filter((row) => row.world === world && row.place === place);
  return own.reduce((deepest, row) => (row.depth > deepest.depth ? row : deepest));
}

/**
 * Figures as JSON, with lists of numbers and texts on one line where they fit, as the formatter of the project has
 * them.
 */
export function writeFigures(figures: Figures): string {
  const text = `${JSON.stringify(figures, undefined, 2)}\n`;
  return text.replace(
    /^( *"\w+": \[)\n([^\][{}]*?)\n *(\],?)$/gm,
    (whole, before: string, items: string, after: string) => {
      const line = `${before}${items
        .split("\n")
        .map((item) => item.trim())
        .join(" ")}${after}`;
      return line.length <= 120 ? line : whole;
    },
  );
}
