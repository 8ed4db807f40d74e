import { countOf } from "../../../ground/math/counts.ts";
import type { Fault } from "../faults.ts";
import { formatPlace } from "../faults.ts";
import type { Place } from "../parse/cell.ts";
import type { BlockStory, CaseResult, RunFailure, ScenarioResult } from "../run/result.ts";
import { alignColumns } from "./columns.ts";
import { excerpt, type ReadLine } from "./excerpt.ts";
import { totalsOf } from "./totals.ts";

/** Colours of a text, or the same text. */
export interface Paint {
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
}

/** Results for a person at a terminal: one line a file, failures with their line, and the block in which they were. */
export function renderPretty(results: readonly ScenarioResult[], paint: Paint, readLine: ReadLine): string {
  const lines: string[] = [];
  for (const result of results) {
    const count = result.cases.length > 1 ? paint.dim(` (${countOf(result.cases.length, "case")})`) : "";
    const mark =
      result.status === "passed" ? paint.green("pass") : paint.red(result.status === "invalid" ? "bad " : "FAIL");
    lines.push(`${mark} ${result.file}${count}${result.status === "passed" ? "" : `  ${paint.bold(result.name)}`}`);
    for (const fault of result.faults) lines.push(...faultLines(fault, paint, readLine));
    for (const found of result.cases) lines.push(...caseLines(found, paint, readLine));
  }
  lines.push(summary(results, paint));
  return lines.join("\n");
}

function faultLines(fault: Fault, paint: Paint, readLine: ReadLine): string[] {
  const lines = [`  ${formatPlace(fault.place)}: ${fault.message}`, ...quote(fault.place, paint, readLine)];
  if (fault.hint !== undefined) lines.push(`    ${paint.dim("hint:")} ${fault.hint}`);
  return lines;
}

function caseLines({ name, failures, stories }: CaseResult, paint: Paint, readLine: ReadLine): string[] {
  if (failures.length === 0) return [];
  const lines: string[] = [];
  if (name !== "") lines.push(`  case ${paint.bold(name)}`);
  for (const failure of failures) lines.push(...failureLines(failure, paint, readLine));
  for (const story of stories) lines.push(...storyLines(story).map((line) => paint.dim(`    ${line}`)));
  return lines;
}

function failureLines(failure: RunFailure, paint: Paint, readLine: ReadLine): string[] {
  const { place, what, expected, observed, hint, block } = failure;
  const where = block === "" ? "" : paint.dim(` (${block}, height ${failure.height})`);
  const lines = [
    `  ${formatPlace(place)}: ${what}${where}`,
    ...quote(place, paint, readLine),
    `    expected ${paint.green(expected)}`,
    `    observed ${paint.red(observed)}`,
  ];
  if (hint !== undefined) lines.push(`    ${paint.dim("hint:")} ${hint}`);
  return lines;
}

function quote(place: Place, paint: Paint, readLine: ReadLine): string[] {
  const [line, caret] = excerpt(place, readLine);
  return line === undefined || caret === undefined ? [] : [`    ${line}`, `    ${paint.red(caret)}`];
}

/** A block in lines: transactions and outcomes, fills, events, then the accounts as a table. */
export function storyLines(story: BlockStory): string[] {
  const lines = [`${story.name}, height ${story.height}`];
  if (story.note !== undefined) lines.push(`  ${story.note}`);
  for (const { market, oracle, index, mark } of story.prices) {
    lines.push(
      `  ${market}: mark ${mark}${index === mark && oracle === mark ? "" : `, index ${index}, oracle ${oracle}`}`,
    );
  }
  for (const { words, outcome } of story.transactions) lines.push(`  ${words} -> ${outcome}`);
  for (const fill of story.fills) lines.push(`  fill: ${fill}`);
  for (const event of story.events) lines.push(`  ${event}`);
  if (story.accounts.length > 0) lines.push(...accountTable(story).map((line) => `  ${line}`));
  return lines;
}

const COLUMNS = ["collateral", "equity", "initial", "maintenance", "free", "positions", "orders"] as const;

function accountTable({ accounts }: BlockStory): string[] {
  return alignColumns([
    ["account", ...COLUMNS],
    ...accounts.map((account) => [account.name, ...COLUMNS.map((column) => account[column])]),
  ]);
}

function summary(results: readonly ScenarioResult[], paint: Paint): string {
  const { files, cases, passed, failed, invalid, blocks, transactions } = totalsOf(results);
  const parts = [paint.green(`${passed} passed`)];
  if (failed > 0) parts.push(paint.red(`${failed} failed`));
  if (invalid > 0) parts.push(paint.red(`${invalid} cannot run`));
  return `${parts.join(", ")}: ${countOf(files, "file")}, ${countOf(cases, "case")}, ${countOf(blocks, "block")}, ${countOf(transactions, "transaction")}`;
}
