import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "./commands.ts";
import { EXIT } from "./fail.ts";
import { runProgram } from "./program.ts";
import { createProcessTerminal } from "./terminal.ts";

/** The command line of this process: runs `argv` (without node and script) and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that has seen enough (`perplab … | head`) is no failure of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.ok);
  });
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
    version: string;
  };
  const exitCode = await runProgram(argv, { commands, version, terminal: createProcessTerminal(argv) });
  // A script that `perplab run` ran may have set its own.
  if (exitCode !== EXIT.ok) process.exitCode = exitCode;
}
