import { Command } from "commander";
import { splitCommand } from "../../ground/collections/commandLine.ts";
import { defineCommand } from "../command.ts";
import { CliError, EXIT, usageError } from "../fail.ts";
import { readReportFile } from "../readReportFile.ts";
import { runForBundle } from "./backtest/makeBacktest.ts";
import { backtestCommand } from "./backtest.ts";

interface Options {
  readonly out: string;
  readonly byHash?: boolean;
}

/** A run as one file. */
export const bundleCommand = defineCommand<Options>({
  name: "bundle",
  summary: "Write a run as one file that proves itself: strategy, options, data and result",
  description:
    "Repeats the run of a JSON report, by the command in the report, and writes it as one file: the strategy with " +
    "the files that it imports, every option, the data as a tape, and the result, block by block. `perplab rerun` " +
    "proves the file on any machine. Call it in the folder in which the report was made. `backtest --bundle` writes " +
    "the same file at once. Exit code 4 if the run gives another result than the report has.",
  examples: [
    { args: "bundle report.json --out run.bundle", does: "The run of a report as one file" },
    {
      args: "bundle report.json --out small.bundle --by-hash",
      does: "The same without the data, which it names by hash",
    },
  ],
  configure(command) {
    command
      .argument("<report.json>", "the report as a backtest wrote it")
      .requiredOption("-o, --out <file>", "the bundle")
      .option("--by-hash", "name the data by its hash instead of including it");
  },
  async run(context, [path = ""], { out, byHash = false }) {
    const { requireDistinct } = await import("../writeFile.ts");
    requireDistinct([path, out]);
    const { run: made } = await readReportFile(path);
    const { strategy, options } = readCall(made.command, path);
    const bundled = await runForBundle(context, strategy, options, out, byHash);
    const { root, head } = bundled.result;
    const { stateRoot, effectsHead } = made.engine;
    if (root !== stateRoot || head !== effectsHead) {
      throw new CliError(EXIT.differs, "RUNS_DIFFER", `the run gives the root ${root}, the report has ${stateRoot}`, {
        place: path,
        hint: "strategy, data or perplab changed since; make the report again, and `compare` the two",
      });
    }
    await bundled.write();
    const { terminal, json } = context;
    if (json) terminal.out(JSON.stringify({ written: out, root, head }));
    else terminal.out(out);
  },
});

/** The strategy and the options of the command that is in a report. */
function readCall(text: string, place: string) {
  const [name, ...words] = splitCommand(text) ?? [];
  if (name !== "backtest") {
    const hint = "give a report that `perplab backtest --out report.json` wrote";
    throw usageError("REPORT_COMMAND", `the report has no command that makes its run again: ${text}`, { place, hint });
  }
  const command = new Command(name).exitOverride().configureOutput({ outputError: () => undefined });
  backtestCommand.configure(command);
  try {
    command.parse(words, { from: "user" });
  } catch (cause) {
    const hint = "the report was made by another version of perplab";
    const reason = `its command is not one of this perplab: ${(cause as Error).message}`;
    throw usageError("REPORT_COMMAND", reason, { place, hint, cause });
  }
  return { strategy: command.args[0] ?? "", options: command.opts() };
}
