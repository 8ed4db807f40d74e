import { createReport } from "../../report/createReport.ts";
import type { ReportInput, StopInput } from "../../report/input.ts";
import type { BacktestReport, StrategyReport } from "../../report/model.ts";
import type { BacktestResult, StrategyResult } from "../backtestResult.ts";
import type { RunStop } from "../runStop.ts";
import { describeSeries } from "../series/describeSeries.ts";
import { describeWarmUp, listShortWarmUps } from "../warmUp.ts";
import { listAssumptions } from "./assumptions.ts";
import { listLinkAssumptions } from "./linkFacts.ts";
import {
  describeDriver,
  describeRun,
  endLink,
  type FinishedRun,
  listLeftOut,
  listMissingMarks,
  NOTICED_MS,
} from "./reportInput.ts";

/** Members of a result that cover several strategies together. */
type Sum = Pick<BacktestResult, "report" | "input" | "metrics" | "logs" | "stopped">;

/** Sums up a run of several strategies: the report of all accounts together, with the reports of each in it. */
export function sumUp(run: FinishedRun, strategies: readonly StrategyResult[]): Sum {
  const input = createSumInput(run, strategies);
  let report: BacktestReport | undefined;
  return {
    get report() {
      report ??= createReport(input);
      return report;
    },
    input,
    metrics: {},
    logs: [],
    stopped: findLastStop(run, strategies),
  };
}

function createSumInput(run: FinishedRun, strategies: readonly StrategyResult[]): ReportInput {
  const { options, settings, history, replay, warmUps } = run;
  const { manifest } = options.data;
  const markets = manifest.markets.map(({ name }) => name);
  const names = settings.strategies.map(({ name }) => name);
  return {
    ...describeRun(run),
    strategy: { id: names.join(" + "), params: {} },
    driver: describeDriver(run, settings.strategies),
    assumptions: [
      ...listLeftOut(run.stream),
      ...warmUps.flatMap((warmUp, place) =>
        warmUp === undefined ? [] : describeWarmUp(warmUp, markets, names[place]!),
      ),
      ...listAssumptions(settings, settings.strategies, manifest, run.definitions, history),
      ...replay.traders.flatMap(({ series }, place) => describeSeries(series, names[place]!)),
      ...settings.strategies.flatMap((_, place) => listLinkAssumptions(endLink(run, place))),
    ],
    notices: [
      ...listLeftOut(run.stream, NOTICED_MS),
      ...warmUps.flatMap((warmUp, place) =>
        warmUp === undefined ? [] : listShortWarmUps(warmUp, markets, names[place]!),
      ),
      ...listMissingMarks(history.flows),
    ],
    stopped: describeSumStop(run, strategies),
    // Figures of their own are in the reports of the strategies.
    ownMetrics: [],
    recording: replay.recorders.portfolio!.finish(),
    get strategies() {
      return strategies.map(({ name, report }) => ({ name, report: report as StrategyReport }));
    },
  };
}

/** The last stop of a run whose strategies have all stopped, which ended with it. */
function findLastStop({ replay }: FinishedRun, strategies: readonly StrategyResult[]): RunStop | undefined {
  if (!replay.isStopped) return undefined;
  let last: RunStop | undefined;
  for (const { stopped } of strategies) if (last === undefined || stopped!.timeMs > last.timeMs) last = stopped;
  return last;
}

function describeSumStop(run: FinishedRun, strategies: readonly StrategyResult[]): StopInput | null {
  const last = findLastStop(run, strategies);
  if (last === undefined) return null;
  const { reason, height, timeMs } = last;
  return { reason, height, timeMs, text: "The run ended before its data: none of its strategies trades any more." };
}
