import type { Observer } from "../../../venue/simulation/observer.ts";
import type { RecordListener } from "../../report/input.ts";
import { openTable, type TableWriter } from "../../tables/openTable.ts";
import type { Table } from "../../tables/table.ts";
import type { Refused } from "../link/remote.ts";
import type { SentTransaction } from "../outbox.ts";
import { STRATEGIES } from "../participants.ts";
import type { StrategySettings } from "../strategyOptions.ts";
import { type ExportName, exportTables, withStrategy } from "./definitions.ts";
import { readExportName } from "./exportName.ts";
import { type RowOf, StrategyTables, type TablesRun } from "./strategyTables.ts";

interface OpenTable {
  readonly name: ExportName;
  readonly writer: TableWriter<Table>;
}

/**
 * The tables of a run. Every row is written as it comes, to files with temporary names; `publish` gives them their own,
 * `abandon` removes them. With several strategies a first column names the strategy of the row.
 */
export class RunTables {
  readonly #tables: readonly OpenTable[];
  readonly #strategies: ReadonlyMap<string, StrategyTables>;

  private constructor(tables: readonly OpenTable[], strategies: readonly StrategySettings[]) {
    this.#tables = tables;
    const isOfSeveral = strategies.length > 1;
    this.#strategies = new Map(
      strategies.map(({ name, deposit }, place) => {
        const sink = {
          has: (table: ExportName) => tables.some((open) => open.name === table),
          write: <Name extends ExportName>(table: Name, row: RowOf<Name>) =>
            this.#write(table, isOfSeveral ? { strategy: name, ...row } : row),
        };
        return [name, new StrategyTables(sink, STRATEGIES[place]!, deposit)];
      }),
    );
  }

  /**
   * Begins the files. The last word of a file's stem names its table, the ending its format.
   *
   * @param strategies by name
   * @throws {BacktestError} TABLE_UNKNOWN
   * @throws {TableError} TABLE_FORMAT
   * @throws the system's error where a file cannot be made
   */
  static async open(paths: readonly string[], strategies: readonly StrategySettings[]): Promise<RunTables> {
    const names = paths.map(readExportName);
    const tables: OpenTable[] = [];
    try {
      for (const [place, name] of names.entries()) {
        const table = strategies.length > 1 ? withStrategy(exportTables[name]) : exportTables[name];
        tables.push({ name, writer: await openTable<Table>(paths[place]!, table) });
      }
    } catch (error) {
      for (const { writer } of tables) writer.abandon();
      throw error;
    }
    return new RunTables(tables, strategies);
  }

  /** The run is about to begin. */
  begin(run: TablesRun): void {
    for (const strategy of this.#strategies.values()) strategy.begin(run);
  }

  #write(name: ExportName, row: object): void {
    for (const open of this.#tables) {
      if (open.name === name) open.writer.write(row as Readonly<Record<string, unknown>>);
    }
  }

  /** A strategy sent a transaction. */
  onSend(sent: SentTransaction, strategy: string): void {
    this.#strategies.get(strategy)?.onSend(sent);
  }

  /** The venue refused a transaction of a strategy where it arrived. */
  onRefuse(refused: Refused, strategy: string): void {
    this.#strategies.get(strategy)?.onRefuse(refused);
  }

  /** Read every block, where a table needs it. */
  get observers(): Observer[] {
    return [...this.#strategies.values()].map(({ observer }) => observer).filter((one) => one !== undefined);
  }

  /** Reads the records of a strategy; undefined where there is no table. */
  listen(strategy: string): RecordListener | undefined {
    return this.#tables.length === 0 ? undefined : this.#strategies.get(strategy);
  }

  /** The run has ended: completes the files under their temporary names. */
  close(): void {
    for (const strategy of this.#strategies.values()) strategy.finish();
    for (const { writer } of this.#tables) writer.close();
  }

  /** Gives closed files their names. */
  publish(): void {
    for (const { writer } of this.#tables) writer.publish();
  }

  /** Removes the written files. */
  abandon(): void {
    for (const { writer } of this.#tables) writer.abandon();
  }
}
