import type { SizeE8 } from "../../../ground/math/fixed.ts";
import type { Observer } from "../../../venue/simulation/observer.ts";
import type {
  AccountPoint,
  AdjustmentInput,
  FillInput,
  FundingInput,
  RecordListener,
  RoundTrip,
} from "../../report/input.ts";
import { openTable, type TableWriter } from "../../tables/openTable.ts";
import type { Row, Table } from "../../tables/table.ts";
import type { SentTransaction } from "../outbox.ts";
import { type ExportName, exportTables } from "./definitions.ts";
import { EquityRows } from "./equityRows.ts";
import { readExportName } from "./exportName.ts";
import { OrderRows } from "./orderRows.ts";

/** What the rows of a run need to know of it. */
export interface TablesRun {
  readonly markets: readonly string[];
  readonly startMs: number;
  /** Quote units. */
  readonly deposit: number;
  /** Between two rows of `equity`. */
  readonly equityMs: number;
}

type RowOf<Name extends ExportName> = Row<(typeof exportTables)[Name]>;

/**
 * The tables of a run. Every row is written as it comes, to files with temporary names; `publish` gives them their own,
 * `abandon` removes them.
 */
export class RunTables implements RecordListener {
  readonly #writers: readonly { readonly name: ExportName; readonly writer: TableWriter<Table> }[];
  #markets: readonly string[] = [];
  #equity: EquityRows | undefined;
  /** Set for a run with the table `equity` alone: it is called at every point. */
  onPoint?: (point: AccountPoint) => void;
  readonly #orders: OrderRows | undefined;

  private constructor(writers: readonly { readonly name: ExportName; readonly writer: TableWriter<Table> }[]) {
    this.#writers = writers;
    if (this.#has("orders")) this.#orders = new OrderRows((row) => this.#write("orders", row));
  }

  /**
   * Begins the files. The last word of a file's stem names its table, the ending its format.
   *
   * @throws {BacktestError} TABLE_UNKNOWN
   * @throws {TableError} TABLE_FORMAT
   * @throws the system's error where a file cannot be made
   */
  static async open(paths: readonly string[]): Promise<RunTables> {
    const names = paths.map(readExportName);
    const writers: { name: ExportName; writer: TableWriter<Table> }[] = [];
    try {
      for (const [place, name] of names.entries()) {
        writers.push({ name, writer: await openTable<Table>(paths[place]!, exportTables[name]) });
      }
    } catch (error) {
      for (const { writer } of writers) writer.abandon();
      throw error;
    }
    return new RunTables(writers);
  }

  /** The run is about to begin. */
  begin({ markets, startMs, deposit, equityMs }: TablesRun): void {
    this.#markets = markets;
    if (!this.#has("equity")) return;
    const rows = new EquityRows(equityMs, startMs, deposit, (row) => this.#write("equity", row));
    this.#equity = rows;
    this.onPoint = (point) => rows.add(point);
  }

  #has(name: ExportName): boolean {
    return this.#writers.some((open) => open.name === name);
  }

  #write<Name extends ExportName>(name: Name, row: RowOf<Name>): void {
    for (const open of this.#writers) if (open.name === name) open.writer.write(row);
  }

  onSend(sent: SentTransaction): void {
    this.#orders?.onSend(sent);
  }

  /** Reads every block; undefined where no table needs one. */
  get observer(): Observer | undefined {
    return this.#orders;
  }

  /** Reads the records of the run; undefined where there is no table. */
  get listener(): RecordListener | undefined {
    return this.#writers.length === 0 ? undefined : this;
  }

  onFill(fill: FillInput, position: SizeE8): void {
    const { timeMs, market, orderId, ...rest } = fill;
    this.#write("fills", {
      ...rest,
      time: timeMs,
      market: this.#markets[market]!,
      position,
      orderId: orderId === "" ? null : orderId,
    });
  }

  onFunding({ timeMs, market, rate, mark, index, size, amount }: FundingInput): void {
    this.#write("funding", { time: timeMs, market: this.#markets[market]!, rate, mark, index, position: size, amount });
  }

  onAdjustment({ timeMs, kind, amount }: AdjustmentInput): void {
    this.#write("adjustments", { time: timeMs, kind, amount });
  }

  onRoundTrip(trip: RoundTrip): void {
    this.#write("trades", {
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

  /** The run has ended: completes the files under their temporary names. */
  close(): void {
    this.#equity?.finish();
    for (const { writer } of this.#writers) writer.close();
  }

  /** Gives closed files their names. */
  publish(): void {
    for (const { writer } of this.#writers) writer.publish();
  }

  /** Removes what was written. */
  abandon(): void {
    for (const { writer } of this.#writers) writer.abandon();
  }
}

/** 1e-8 USD, rounded down. */
function averagePrice(value: bigint, size: bigint): bigint {
  return (value * 10_000_000_000n) / size;
}
