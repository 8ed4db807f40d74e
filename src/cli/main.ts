import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COLUMNS, findHelp } from "./help.ts";

/** The command line of this process: runs `argv` (without node and script) and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that has seen enough (`perplab … | head`) is not a failure of perplab.
  let isUnread = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isUnread = true;
    process.exit(0);
  });
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
    version: string;
  };
  // A script that asks for the version alone waits for nothing else to load.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const help = await findHelp(argv, process.stdout.columns ?? COLUMNS);
  if (help !== undefined) {
    process.stdout.write(`${help}\n`);
    return;
  }
  const { commandTable } = await import("./commandTable.ts");
  const { reportEarlyExit, runProgram } = await import("./program.ts");
  const { createProcessTerminal } = await import("./terminal.ts");
  const terminal = createProcessTerminal(argv);
  const off = reportEarlyExit(terminal, argv, () => isUnread);
  const exitCode = await runProgram(argv, { commands: commandTable, version, terminal });
  off();
  // A script that `perplab run` ran may have set its own.
  if (exitCode !== 0) process.exitCode = exitCode;
}
