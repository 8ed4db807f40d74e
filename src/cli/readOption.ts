import { Command } from "commander";
import type { RunOptions as JobOptions } from "../product/research/runs/job.ts";
import { addRunOptions, type RunOptions, readRunOptions } from "./runOptions.ts";

/** Options that each account of a run may have of its own. */
export const ACCOUNT_WORDS: readonly string[] = [
  "deposit",
  "leverage",
  "margin",
  "latency",
  "feed-latency",
  "receipt-latency",
  "rate-limit",
  "outage",
  "seed",
];

/** Names of the options of a run that have a value of their own, as the command line has them. */
export function listRunOptions(): string[] {
  const command = addRunOptions(new Command());
  return [...command.options.map(({ long }) => long!.slice(2)).filter((name) => name !== "set"), "seed"];
}

/** Reads the text of one option as the command line would. */
export async function readOption(name: string, text: string): Promise<JobOptions> {
  if (name === "seed") return { seed: text };
  const command = addRunOptions(new Command().exitOverride());
  command.parse([`--${name}=${text}`], { from: "user" });
  return readRunOptions(command.opts<RunOptions>());
}
