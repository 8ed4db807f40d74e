/** What the benches share: medians, clocks, and the report. */
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { type Calibration, Calibrator } from "./calibrate.ts";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const calibrator = new Calibrator();

/** CPU seconds that a piece of work takes, which other work on the machine disturbs less than wall time. */
export function cpuSeconds(work: () => void): number {
  calibrator.sample();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** CPU and wall seconds of a task that waits for files or threads. */
export async function timeTask<T>(task: () => Promise<T> | T): Promise<{ cpu: number; wall: number; result: T }> {
  calibrator.sample();
  const cpuBefore = process.cpuUsage();
  const before = process.hrtime.bigint();
  const result = await task();
  const wall = Number(process.hrtime.bigint() - before) / 1e9;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (user + system) / 1e6, wall, result };
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the project set out to reach: `>= 1.5` or `<= 40`, in the figure's unit. */
  readonly target?: string;
}

/** One line of the history file, and what a bench prints with --json. */
export interface Report {
  readonly bench: string;
  readonly at: string;
  readonly commit: string;
  readonly node: string;
  readonly cpu: string;
  /** Small loops between the rounds of this run, to compare runs and machines by. */
  readonly calibration: Calibration;
  readonly figures: readonly Figure[];
}

/** Prints figures as a table, or one JSON line with --json; with --record appends them to the history. */
export function report(bench: string, figures: readonly Figure[]): void {
  const { typedArraysNs, mulDivNs, slowdown } = calibrator.read();
  const line: Report = {
    bench,
    at: new Date().toISOString(),
    commit: findCommit(),
    node: process.version,
    cpu: cpus()[0]?.model ?? "unknown",
    calibration: { typedArraysNs: shorten(typedArraysNs), mulDivNs: shorten(mulDivNs), slowdown: shorten(slowdown) },
    figures: figures.map((figure) => ({ ...figure, value: shorten(figure.value) })),
  };
  if (process.argv.includes("--json")) console.log(JSON.stringify(line));
  else printReport(line);
  if (process.argv.includes("--record")) {
    appendFileSync(join(import.meta.dirname, "..", "history.jsonl"), `${JSON.stringify(line)}\n`);
  }
}

export function printReport({ bench, node, figures, calibration }: Report): void {
  const { typedArraysNs, mulDivNs, slowdown } = calibration;
  console.log(
    `\n${bench} (${node}; calibration: typed arrays ${typedArraysNs} ns, exact mulDiv ${mulDivNs} ns, ` +
      `${slowdown}x the reference)`,
  );
  for (const figure of figures) console.log(formatFigure(figure, slowdown));
}

function formatFigure({ name, value, unit, target }: Figure, slowdown: number): string {
  const shown = `${value.toLocaleString("en", { maximumSignificantDigits: 4 })} ${unit}`;
  const line = `  ${name.padEnd(66)} ${shown.padStart(22)}`;
  if (target === undefined) return line;
  const calibrated = atReference(value, unit, slowdown);
  const verdict = judge(value, target);
  if (verdict === "met" || calibrated === undefined) return `${line}   ${target}: ${verdict}`;
  return `${line}   ${target}: ${verdict} (calibrated ${shorten(calibrated)}: ${judge(calibrated, target)})`;
}

/** A rate or a time as it would be at the reference's speed; undefined for what does not depend on it. */
export function atReference(value: number, unit: string, slowdown: number): number | undefined {
  if (unit.includes("/s")) return value * slowdown;
  return unit === "ns" || unit === "us" || unit === "ms" ? value / slowdown : undefined;
}

/** "met", or by what factor a target is missed. */
export function judge(value: number, target: string): string {
  const [, sign, bound] = /^([<>])= ([0-9.]+)$/.exec(target) ?? [];
  if (sign === undefined) throw new Error(`target "${target}" must be ">= number" or "<= number"`);
  const factor = sign === ">" ? Number(bound) / value : value / Number(bound);
  return factor <= 1 ? "met" : `MISSED by ${factor.toFixed(2)}x`;
}

function shorten(value: number): number {
  return Number(value.toPrecision(4));
}

function findCommit(): string {
  try {
    const options = { cwd: import.meta.dirname, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], options).trim();
  } catch {
    return "unknown";
  }
}
