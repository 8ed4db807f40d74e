import type { Bytes32 } from "../../protocol/fields.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { ReportInput } from "../report/input.ts";
import type { BacktestReport } from "../report/model.ts";
import type { RunStop } from "./runStop.ts";
import type { LogLine, StrategyMetric } from "./strategyNotes.ts";

/** One strategy of a finished run, with its account. */
export interface StrategyResult {
  readonly name: string;
  /** Made when it is first read. */
  readonly report: BacktestReport;
  /** What the report was made of: exact integers. */
  readonly input: ReportInput;
  readonly metrics: Readonly<Record<string, StrategyMetric>>;
  readonly logs: readonly LogLine[];
  /** Why it traded no more; undefined for a strategy that traded until the end of the data. */
  readonly stopped: RunStop | undefined;
}

/** A finished run. */
export interface BacktestResult {
  /** Made when it is first read. Of several strategies: of all their accounts together, with the report of each. */
  readonly report: BacktestReport;
  /** What the report was made of: exact integers. */
  readonly input: ReportInput;
  /** The venue as the last block left it. */
  readonly state: State;
  readonly root: Bytes32;
  readonly head: Bytes32;
  /** Figures and lines of the strategy's own; of several strategies none, since each has its own. */
  readonly metrics: Readonly<Record<string, StrategyMetric>>;
  readonly logs: readonly LogLine[];
  /**
   * Why the run ended before its data did; undefined for a run over all of its data. Of several, the last that stopped.
   */
  readonly stopped: RunStop | undefined;
  /** The strategies of the run by name, in a run of one strategy as well. */
  readonly strategies: readonly StrategyResult[];
  /** Events of the data that were replayed. */
  readonly events: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly wallMs: number;
}
