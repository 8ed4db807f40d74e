import { extname } from "node:path";
import type { Format } from "../../product/report/formats.ts";
import { defineCommand } from "../command.ts";

interface Options {
  readonly format?: string;
  readonly out?: string;
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
      .option("-f, --format <name>", "html, markdown, json or terminal");
  },
  async run({ terminal, json }, [path = ""], { format: name, out }) {
    const { readReportFile } = await import("../readReportFile.ts");
    const { formats, getFormat } = await import("../../product/report/formats.ts");

    const { reserveFiles, writeWholeFiles } = await import("../writeFile.ts");
    if (out !== undefined) await reserveFiles([out]);
    const byEnding = Object.values<Format>(formats).find(({ extension }) => extension === extname(out ?? ""));
    const format = name !== undefined ? getFormat(name) : json ? formats.json : (byEnding ?? formats.terminal);
    const report = await readReportFile(path);

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
