import { commands } from "../../src/cli/commands.ts";
import { runProgram } from "../../src/cli/program.ts";
import { createRecordingTerminal } from "./terminal.ts";

/** What one call of the command line printed, and its exit code. */
export interface Called {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Calls the command line in this process. Paths are taken from the working folder of the tests: give absolute ones. */
export async function callCli(...argv: string[]): Promise<Called> {
  const terminal = createRecordingTerminal();
  const exitCode = await runProgram(argv, { commands, version: "0.0.0", terminal });
  return { exitCode, out: terminal.outLines.join("\n"), err: terminal.errLines.join("\n") };
}

/**
 * Calls the command line in this process, with a working folder: what a process of its own would print and write,
 * without its start. Only a worker that is a process has a working folder, as those of the tests are.
 */
export async function callCliIn(folder: string, ...argv: string[]): Promise<Called> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await callCli(...argv);
  } finally {
    process.chdir(before);
  }
}
