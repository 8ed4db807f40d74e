import type { LogComparison } from "../../product/research/compare/compareLogs.ts";
import type { ReportComparison } from "../../product/research/compare/compareReports.ts";
import { type Context, defineCommand } from "../command.ts";
import { CliError, EXIT, usageError } from "../fail.ts";
import { formatCount } from "../format.ts";
import { withProgress } from "../progress.ts";

/** Two runs, and where they part. */
export const compareCommand = defineCommand<object>({
  name: "compare",
  summary: "Compare two runs: the first block that differs, and why",
  description:
    "Compares two block logs, or two JSON reports of backtests. Logs are replayed side by side up to the first block " +
    "that differs: its transactions, receipts and events, and the accounts and markets after it. Reports are compared " +
    "from causes to results: strategy, data, options, versions, the first fill, the metrics. Exit code 4 if they differ.",
  examples: [
    { args: "compare crash.log crash.log", does: "Two logs of the same run are equal" },
    { args: "compare report.json report.json --json", does: "Two reports, with the result for a program" },
  ],
  configure(command) {
    command.argument("<a>", "a block log, or a report as JSON").argument("<b>", "the other, of the same kind");
  },
  async run(context, [a = "", b = ""]) {
    const { describeComparison, renderComparison } = await import("../../product/research/compare/text.ts");
    const comparison = await compare(context, a, b);
    const { terminal, json } = context;
    terminal.out(json ? JSON.stringify(comparison) : renderComparison(comparison));
    if (comparison.equal) return;
    throw new CliError(EXIT.differs, "RUNS_DIFFER", describeComparison(comparison), { place: `${a}, ${b}` });
  },
});

async function compare({ terminal }: Context, a: string, b: string): Promise<LogComparison | ReportComparison> {
  const [kindA, kindB] = [await kindOf(a), await kindOf(b)];
  if (kindA !== kindB) {
    throw usageError("RUNS_UNLIKE", `${a} is a ${kindA}, and ${b} is a ${kindB}`, {
      place: b,
      hint: "compare two block logs (backtest --log), or two reports (backtest --out report.json)",
    });
  }
  if (kindA === "report") {
    const { readReportFile } = await import("../readReportFile.ts");
    const { compareReports } = await import("../../product/research/compare/compareReports.ts");
    return compareReports(await readReportFile(a), await readReportFile(b));
  }
  const { compareLogs } = await import("../../product/research/compare/compareLogs.ts");
  const { sizeOf } = await import("../policy.ts");
  const total = (await sizeOf([a])) + (await sizeOf([b]));
  return withProgress(terminal, { label: "comparing", total, unit: "bytes" }, (progress) =>
    compareLogs(a, b, (done, height) => progress.update(done, `block ${formatCount(height)}`)),
  );
}

/** What begins with a brace is a report; a log says itself what is wrong with it. */
async function kindOf(path: string): Promise<"report" | "block log"> {
  const { open } = await import("node:fs/promises");
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw Object.assign(cause, { path });
  });
  try {
    const head = new Uint8Array(64);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return /^\s*\{/.test(new TextDecoder("latin1").decode(head.subarray(0, bytesRead))) ? "report" : "block log";
  } finally {
    await file.close();
  }
}
