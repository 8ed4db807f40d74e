import type { SizeE8 } from "../../../ground/math/fixed.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Observer } from "../../../venue/simulation/observer.ts";
import type {
  AccountPoint,
  AdjustmentInput,
  FillInput,
  FundingInput,
  RecordListener,
  RoundTrip,
} from "../../report/input.ts";
import type { Row } from "../../tables/table.ts";
import type { Refused } from "../link/remote.ts";
import type { SentTransaction } from "../outbox.ts";
import type { ExportName, exportTables } from "./definitions.ts";
import { EquityRows } from "./equityRows.ts";
import { OrderRows } from "./orderRows.ts";

/** Facts about a run that its rows need. */
export interface TablesRun {
  readonly markets: readonly string[];
  readonly startMs: number;
  /** Between two rows of `equity`. */
  readonly equityMs: number;
}

export type RowOf<Name extends ExportName> = Row<(typeof exportTables)[Name]>;

/** The tables to which a strategy's rows are written. */
export interface TablesSink {
  has(name: ExportName): boolean;
  write<Name extends ExportName>(name: Name, row: RowOf<Name>): void;
}

/** The rows of one strategy of a run. */
export class StrategyTables implements RecordListener {
  readonly #sink: TablesSink;
  readonly #deposit: number;
  readonly #orders: OrderRows | undefined;
  #markets: readonly string[] = [];
  #equity: EquityRows | undefined;
  /** Set for a run with the table `equity` alone: it is called at every point. */
  onPoint?: (point: AccountPoint) => void;

  /** @param deposit quote units */
  constructor(sink: TablesSink, key: AccountKey, deposit: number) {
    this.#sink = sink;
    this.#deposit = deposit;
    if (sink.has("orders")) this.#orders = new OrderRows(key, (row) => sink.write("orders", row));
  }

  /** The run is about to begin. */
  begin({ markets, startMs, equityMs }: TablesRun): void {
    this.#markets = markets;
    if (!this.#sink.has("equity")) return;
    const rows = new EquityRows(equityMs, startMs, this.#deposit, (row) => this.#sink.write("equity", row));
    this.#equity = rows;
    this.onPoint = (point) => rows.add(point);
  }

  /** Reads every block; undefined where no table needs one. */
  get observer(): Observer | undefined {
    return this.#orders;
  }

  onSend(sent: SentTransaction): void {
    this.#orders?.onSend(sent);
  }

  onRefuse(refused: Refused): void {
    this.#orders?.onRefuse(refused);
  }

  onFill(fill: FillInput, position: SizeE8): void {
    const { timeMs, market, orderId, ...rest } = fill;
    this.#sink.write("fills", {
      ...rest,
      time: timeMs,
      market: this.#markets[market]!,
      position,
      orderId: orderId === "" ? null : orderId,
    });
  }

  onFunding({ timeMs, market, rate, mark, index, size, amount }: FundingInput): void {
    this.#sink.write("funding", {
      time: timeMs,
      market: this.#markets[market]!,
      rate,
      mark,
      index,
      position: size,
      amount,
    });
  }

  onAdjustment({ timeMs, kind, amount }: AdjustmentInput): void {
    this.#sink.write("adjustments", { time: timeMs, kind, amount });
  }

  onRoundTrip(trip: RoundTrip): void {
    this.#sink.write("trades", {
      market: this.#markets[trip.market]!,
      side: trip.side,
      entryTime: trip.entryTimeMs,
      exitTime: trip.exitTimeMs,
      size: trip.largestSize,
      entered: trip.entered,
      exited: trip.exited,
      entryPrice: averagePrice(trip.entryValue, trip.entered),
      exitPrice: trip.exited === 0n ? null : averagePrice(trip.exitValue, trip.exited),
      fills: trip.fills,
      realizedPnl: trip.realizedPnl,
      unrealizedPnl: trip.unrealizedPnl,
      fee: trip.fees,
      funding: trip.funding,
      liquidationFee: trip.liquidationFees,
      net: trip.net,
      worst: trip.worst,
      best: trip.best,
      liquidated: trip.isLiquidated,
    });
  }

  /** The run has ended. */
  finish(): void {
    this.#equity?.finish();
  }
}

/** 1e-8 USD, rounded down. */
function averagePrice(value: bigint, size: bigint): bigint {
  return (value * 10_000_000_000n) / size;
}
