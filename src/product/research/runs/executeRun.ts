import { isStrategyError } from "../../../client/strategy/errors.ts";
import type { BacktestResult } from "../../backtest/backtestResult.ts";
import { type BacktestError, isBacktestError } from "../../backtest/errors.ts";
import { runBacktest } from "../../backtest/runBacktest.ts";
import type { StrategyOptions } from "../../backtest/strategyOptions.ts";
import { createFailedRecord, createRecord } from "./createRecord.ts";
import { RunError } from "./errors.ts";
import type { ReportRequest, RunFailure, RunRequest, RunResult } from "./record.ts";
import type { RunSources } from "./sources.ts";

/**
 * Makes one run. A run that fails by itself is a result.
 *
 * @param code hash of the code that runs here
 * @throws a failure that every run of this strategy or these data would have: {DataError}, {RunError}, and what the
 *         loader of the strategy throws
 */
export async function executeRun({ job, report }: RunRequest, sources: RunSources, code: string): Promise<RunResult> {
  if (job.code !== code) {
    throw new RunError("CODE_CHANGED", "the run is for another version of perplab than the one that is to make it", {
      hint: "run the command again, with the same version everywhere",
    });
  }
  const strategies: StrategyOptions[] = [];
  for (const one of job.strategies) strategies.push({ ...one, strategy: await sources.strategy(one.strategy) });
  const data = await sources.data(job.data);
  try {
    const { command, dataNames } = report ?? {};
    const words = { ...(command === undefined ? {} : { command }), ...(dataNames === undefined ? {} : { dataNames }) };
    const result = await runBacktest({ strategies, data, ...job.options, ...words });
    return { record: createRecord(job, result), ...(await renderReport(result, report)) };
  } catch (error) {
    if (isDataError(error)) throw error;
    const partial = isBacktestError(error, "STRATEGY_FAILED") ? error.result : undefined;
    return {
      record: createFailedRecord(job, describeFailure(error)),
      ...(partial === undefined ? {} : await renderReport(partial, report)),
    };
  }
}

async function renderReport(
  result: BacktestResult,
  report: ReportRequest | undefined,
): Promise<Pick<RunResult, "report">> {
  if (report === undefined) return {};
  // A sweep reads figures alone, and its threads start sooner without the formats.
  const { getFormat } = await import("../../report/formats.ts");
  return { report: getFormat(report.format).render(result.report) };
}

function isDataError(error: unknown): boolean {
  return error instanceof Error && error.name === "DataError";
}

function describeFailure(error: unknown): RunFailure {
  const message = error instanceof Error ? error.message : String(error);
  const isKnown = isBacktestError(error) || isStrategyError(error);
  const { place, hint } = (isKnown ? error : {}) as Partial<BacktestError>;
  return {
    code: isKnown ? error.code : "RUN_FAILED",
    message: isKnown ? message : firstLine(message),
    ...(place === undefined ? {} : { place }),
    ...(hint === undefined ? {} : { hint }),
    isFinal: true,
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!;
}
