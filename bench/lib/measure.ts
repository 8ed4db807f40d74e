/** What the benches share: medians, arguments, and the history file. */
import { appendFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** CPU seconds that a piece of work takes, which other work on the machine disturbs less than wall time. */
export function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Wall seconds. */
export function wallSeconds(work: () => void): number {
  const before = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - before) / 1e9;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the project set out to reach, `>=` or `<=`. */
  readonly target?: string;
}

/** Prints figures as a table, or one JSON line with --json; with --record appends them to the history. */
export function report(bench: string, figures: readonly Figure[]): void {
  const line = {
    bench,
    node: process.version,
    cpu: cpus()[0]?.model ?? "unknown",
    figures: figures.map(({ name, value, unit }) => ({ name, value: Number(value.toPrecision(4)), unit })),
  };
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(line));
  } else {
    console.log(`\n${bench} (${process.version})`);
    for (const { name, value, unit, target } of figures) {
      const shown = `${Number(value.toPrecision(4)).toLocaleString("en")} ${unit}`;
      console.log(`  ${name.padEnd(62)} ${shown.padStart(20)}${target === undefined ? "" : `   target ${target}`}`);
    }
  }
  if (process.argv.includes("--record")) {
    appendFileSync(join(import.meta.dirname, "..", "history.jsonl"), `${JSON.stringify(line)}\n`);
  }
}
