import { deleteChunks, deletePairs } from "../deleteChunks.ts";
import type { Line, Script } from "../script.ts";
import type { Search } from "../search.ts";

/** Number of chunks of the first round, and the share that must be removed to repeat it. */
const PARTS = 16;
const WORTHWHILE = 0.75;
/** From this length on, whole accounts and actions are tried between chunks. */
export const LONG = 256;
/** Up to this length, quadratic passes are tried. */
const PAIRS_MOST = 40;
/** Keeps only the end of the script, then longer ends: early lines often do not matter, and short runs are cheap. */
export function keepEnd(search: Search): void {
  search.pass = "keep the end";
  const { lines } = search.best;
  for (let size = 32; size < lines.length / 2; size *= 4) if (search.tryLines(lines.slice(-size))) return;
}

/** Growth factor of the ends, and the number of pieces of a long end. */
const GROWTH = 4;
const PIECES = 16;

/**
 * Drops lines from ever longer ends of the script while everything before stays. A late line influences little, and a
 * candidate costs only the rest of the end.
 */
export function dropFromEnds(search: Search): void {
  search.pass = "drop from the end";
  for (let size = LONG; !search.isOver; size *= GROWTH) {
    const before = Math.max(0, search.best.lines.length - size);
    const start = search.best.lines.slice(0, before);
    deleteChunks(
      () => search.best.lines.slice(before),
      (end) => search.tryLines([...start, ...end]),
      () => search.isOver,
      { smallest: size <= LONG ? 1 : Math.ceil(size / PIECES), prepare: () => search.prepare() },
    );
    if (before === 0) return;
  }
}

/** Drops everything that the venue rejected: it left nothing but nonces. */
export function dropRefused(search: Search, isRefused: (script: Script) => ReadonlySet<Line>): void {
  search.pass = "drop what was refused";
  const refused = isRefused(search.best);
  const { lines } = search.best;
  if (refused.size > 0) search.tryLines(lines.filter((line) => !refused.has(line)));
}

/**
 * Drops every line that is not needed. As long as there are many, only large chunks are tried, with `aside` in between.
 * Lines that cannot go in small pieces often go together, and small pieces of a long script cost most.
 */
export function dropLines(search: Search, aside: () => void): void {
  for (let parts = PARTS; !search.isOver; ) {
    const before = search.best.lines.length;
    search.pass = `drop lines, a ${parts}th at a time or more`;
    deleteLines(search, Math.max(1, Math.floor(before / parts)));
    if (search.best.lines.length > LONG) aside();
    const { length } = search.best.lines;
    if (length <= before * WORTHWHILE) parts = PARTS;
    else if (parts >= before) return;
    else parts *= 4;
  }
}

function deleteLines(search: Search, smallest: number): void {
  deleteChunks(
    () => search.best.lines,
    (lines) => search.tryLines(lines),
    () => search.isOver,
    { smallest, prepare: () => search.prepare() },
  );
}

export function dropPairs(search: Search): void {
  search.pass = "drop pairs of lines";
  if (search.best.lines.length > PAIRS_MOST) return;
  deletePairs(
    () => search.best.lines,
    (lines) => search.tryLines(lines),
    () => search.isOver,
  );
}

/**
 * Joins consecutive empty blocks into one block with their total time: all at once, then half of them and so on. A long
 * script keeps those that do not join with many others.
 */
export function joinBlocks(search: Search): void {
  search.pass = "join empty blocks";
  const { lines } = search.best;
  let apart = lines.flatMap((line, at) => (line.kind === "block" && lines[at - 1]?.kind === "block" ? [at] : []));
  if (apart.length === 0) return;
  const tryApart = (kept: readonly number[]): boolean => {
    const stays = new Set(kept);
    if (!search.tryLines(joinBut(lines, stays))) return false;
    apart = [...kept];
    return true;
  };
  const smallest = lines.length > LONG ? Math.ceil(apart.length / PIECES) : 1;
  if (!tryApart([]))
    deleteChunks(
      () => apart,
      tryApart,
      () => search.isOver,
      { smallest, prepare: () => search.prepare() },
    );
}

/** Lines with consecutive blocks joined, except those at some places. */
function joinBut(lines: readonly Line[], stays: ReadonlySet<number>): Line[] {
  const joined: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const last = joined.at(-1);
    if (line.kind !== "block" || last?.kind !== "block" || stays.has(at)) joined.push(line);
    else joined[joined.length - 1] = { ...last, ...line, afterMs: last.afterMs + line.afterMs };
  }
  return joined;
}

/** Removes restarts: all, then one by one. */
export function dropCrashes(search: Search): void {
  search.pass = "without crashes";
  const plain = (line: Line): Line =>
    line.kind === "block" && line.crash !== undefined ? { kind: "block", afterMs: line.afterMs } : line;
  const lines = search.best.lines.map(plain);
  if (lines.every((line, at) => line === search.best.lines[at]) || search.tryLines(lines)) return;
  for (let at = 0; at < search.best.lines.length; at++) {
    const line = search.best.lines[at]!;
    if (plain(line) !== line) search.tryLines(search.best.lines.with(at, plain(line)));
  }
}

/** Sets blocks one second apart: all, then one by one. */
export function plainTimes(search: Search): void {
  search.pass = "plain times";
  const isOdd = (line: Line) => line.kind === "block" && line.afterMs !== 1000;
  if (!search.best.lines.some(isOdd)) return;
  if (search.tryLines(search.best.lines.map((line) => (isOdd(line) ? { ...line, afterMs: 1000 } : line)))) return;
  for (let at = 0; at < search.best.lines.length && !search.isOver; at++) {
    const line = search.best.lines[at]!;
    if (line.kind !== "block") continue;
    for (const afterMs of rounderTimes(line.afterMs)) {
      if (search.tryLines(search.best.lines.with(at, { ...line, afterMs }))) break;
    }
  }
}

const UNITS = [1000, 60_000, 3_600_000, 86_400_000] as const;

/** A second, then whole days, hours, minutes and seconds, from above and below. */
function rounderTimes(ms: number): number[] {
  if (ms === 1000) return [];
  const near = UNITS.toReversed().flatMap((unit) => [Math.floor(ms / unit) * unit, Math.ceil(ms / unit) * unit]);
  return [1000, ...near].filter((time) => time > 0 && time !== ms && digitsOf(time) < digitsOf(ms));
}

/** Length of a time when written in the largest unit that divides it. */
function digitsOf(ms: number): number {
  const unit = UNITS.findLast((size) => ms % size === 0) ?? 1;
  return String(ms / unit).length * 2 + (unit === 1 ? 3 : unit === 1000 ? 0 : 1);
}
