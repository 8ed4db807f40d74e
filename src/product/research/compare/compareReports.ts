import type { BacktestReport } from "../../report/model.ts";
import { type DifferenceGroup, diffValues, groupOf } from "./difference.ts";

/** The differences between two reports of backtests, from causes to results. */
export interface ReportComparison {
  readonly kind: "reports";
  /** Strategy, data, options and results are equal. Commands, and how long the runs took, are not compared. */
  readonly equal: boolean;
  readonly groups: readonly DifferenceGroup[];
}

/** Compares two reports: first the possible causes of a difference, then the results. */
export function compareReports(a: BacktestReport, b: BacktestReport): ReportComparison {
  const groups = [
    ...groupOf("strategy", diffValues(a.run.strategy, b.run.strategy)),
    ...groupOf("data", diffValues(dataOf(a), dataOf(b))),
    ...groupOf("options", diffValues(optionsOf(a), optionsOf(b))),
    ...groupOf("versions", diffValues(versionsOf(a), versionsOf(b))),
    ...groupOf("first fill that differs", diffValues(...firstOther(a.fills.kept, b.fills.kept))),
    ...groupOf("results", diffValues(resultsOf(a), resultsOf(b))),
    ...compareStrategies(a, b),
  ];
  return { kind: "reports", equal: groups.length === 0, groups };
}

/** Of runs with several strategies, each by its name: its settings and its gain. */
function compareStrategies(a: BacktestReport, b: BacktestReport): DifferenceGroup[] {
  const [of, other] = [strategiesOf(a), strategiesOf(b)];
  const names = [...new Set([...Object.keys(of), ...Object.keys(other)])].sort();
  return names.flatMap((name) => groupOf(`strategy ${name}`, diffValues(of[name] ?? {}, other[name] ?? {})));
}

function strategiesOf({ strategies }: BacktestReport): Record<string, object> {
  return Object.fromEntries(
    strategies.map(({ name, report }) => {
      const { blocks, transactions, genesisHash, stateRoot, effectsHead, ...results } = resultsOf(report);
      return [name, { params: report.run.strategy.params, ...optionsOf(report), ...results }];
    }),
  );
}

/** Files by their place; `sha256` says whether the rows are the same. */
function dataOf({ run }: BacktestReport): object {
  return Object.fromEntries(run.data.map(({ findings: _findings, ...file }, at) => [String(at + 1), file]));
}

function optionsOf({ run }: Pick<BacktestReport, "run">): object {
  const { other, ...driver } = run.driver;
  const { startMs, endMs, stopped } = run;
  return {
    ...driver,
    ...Object.fromEntries(other.map(({ name, value }) => [name, value])),
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    stopped: stopped?.text,
  };
}

function versionsOf({ run, schemaVersion }: BacktestReport): object {
  return { protocol: run.engine.protocolVersion, reportSchema: schemaVersion };
}

/** The first place in which two lists differ, as a value of either. */
function firstOther(a: readonly object[], b: readonly object[]): [object, object] {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    if (JSON.stringify(a[at]) !== JSON.stringify(b[at])) return [{ [at + 1]: a[at] }, { [at + 1]: b[at] }];
  }
  return [{}, {}];
}

function resultsOf({ run, summary }: Pick<BacktestReport, "run" | "summary">) {
  const { genesisHash, stateRoot, effectsHead, blocks, transactions } = run.engine;
  const { metrics, initialEquity, finalEquity } = summary;
  return {
    initialEquity,
    finalEquity,
    ...Object.fromEntries(metrics.map(({ id, value }) => [id, value])),
    blocks,
    transactions,
    genesisHash,
    stateRoot,
    effectsHead,
  };
}
