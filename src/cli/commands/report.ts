import { extname } from "node:path";
import type { Format } from "../../product/report/formats.ts";
import type { BacktestReport } from "../../product/report/model.ts";
import { defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";

interface Options {
  readonly format?: string;
  readonly out?: string;
  readonly strategy?: string;
}

/** A report that was written as JSON, in another form. */
export const reportCommand = defineCommand<Options>({
  name: "report",
  summary: "Show a report, or write it in another format",
  description:
    "Reads the JSON report of a backtest and shows it here, or writes it as one HTML file, as Markdown, or as text.",
  examples: [
    { args: "report report.json", does: "Show the summary" },
    { args: "report report.json --out report.html", does: "Write the report as one HTML file" },
  ],
  configure(command) {
    command
      .argument("<report.json>", "the report as a backtest wrote it")
      .option("-o, --out <file>", "write to this file; its ending chooses the format")
      .option("-f, --format <name>", "html, markdown, json or terminal")
      .option("-s, --strategy <name>", "of a run of several strategies: the report of this one");
  },
  async run({ terminal, json }, [path = ""], { format: name, out, strategy }) {
    const { readReportFile } = await import("../readReportFile.ts");
    const { formats, getFormat } = await import("../../product/report/formats.ts");

    const { reserveFiles, writeWholeFiles } = await import("../writeFile.ts");
    if (out !== undefined) await reserveFiles([out]);
    const byEnding = Object.values<Format>(formats).find(({ extension }) => extension === extname(out ?? ""));
    const format = name !== undefined ? getFormat(name) : json ? formats.json : (byEnding ?? formats.terminal);
    const whole = await readReportFile(path);
    const report = strategy === undefined ? whole : findStrategy(whole, strategy, path);

    if (out === undefined) {
      const { renderTerminal } = await import("../../product/report/terminal.ts");
      const isTerminal = format === formats.terminal;
      terminal.out((isTerminal ? renderTerminal(report, { colors: terminal.color }) : format.render(report)).trimEnd());
      return;
    }
    await writeWholeFiles([{ path: out, text: format.render(report) }]);
    if (json) terminal.out(JSON.stringify({ written: out }));
    else terminal.out(out);
  },
});

/** The report of one strategy of a run with several. */
function findStrategy({ strategies }: BacktestReport, name: string, path: string): BacktestReport {
  const found = strategies.find((one) => one.name === name);
  if (found !== undefined) return found.report;
  const names = strategies.map((one) => one.name);
  throw usageError("STRATEGY_UNKNOWN", `the report has no strategy ${JSON.stringify(name)}`, {
    place: path,
    hint: names.length === 0 ? "it is of one strategy; leave --strategy out" : `it has ${names.join(", ")}`,
  });
}
