import { countOf } from "../../../ground/math/counts.ts";
import type { EventSource } from "../../../product/market-data/types.ts";
import { defineCommand } from "../../command.ts";
import { onInterrupt } from "../../interrupt.ts";
import { openSources } from "../../openSources.ts";
import { type Progress, startProgress } from "../../progress.ts";
import { reserveFiles } from "../../writeFile.ts";
import { addPartOptions, type PartOptions, readPart } from "./partOptions.ts";

interface Options extends PartOptions {
  readonly out: string;
}

/** Events as a table for other programs. */
export const tapeExportCommand = defineCommand<Options>({
  name: "export",
  summary: "Write events as CSV or Parquet",
  description:
    "Writes a part of the data as one table, a row an event, for pandas, polars, DuckDB or a spreadsheet. Every number is exact: " +
    "decimals in CSV, DECIMAL(18, 8) in Parquet.",
  examples: [
    { args: "tape export july.tape --kind bar --out july.csv", does: "The bars of a month as CSV" },
    { args: "tape export july.tape --kind funding mark --out july.parquet", does: "Funding and marks as Parquet" },
  ],
  configure(command) {
    addPartOptions(command.argument("<data...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")).requiredOption(
      "-o, --out <file>",
      "the table to write: .csv or .parquet",
    );
  },
  async run(context, data, { out, ...part }) {
    const { sliceData } = await import("../../../product/market-data/select/sliceData.ts");
    const { EVENT_TABLE, readEventRow } = await import("../../../product/market-data/select/eventTable.ts");
    const { openTable } = await import("../../../product/tables/openTable.ts");
    const { terminal, json } = context;
    const slice = await readPart(part);
    const release = await reserveFiles([out]);
    const table = await openTable(out, EVENT_TABLE).catch((error) => {
      release();
      throw error;
    });
    const abandon = () => {
      table.abandon();
      release();
    };
    const off = onInterrupt(abandon);
    let source: EventSource | undefined;
    let progress: Progress | undefined;
    try {
      source = await openSources(context, { data, silent: json });
      progress = await startProgress(terminal, { label: "writing", total: source.manifest.events, unit: "events" });
      const derived = sliceData(source, slice);
      for await (const chunk of derived.chunks()) {
        for (let row = 0; row < chunk.count; row++)
          table.write(readEventRow(chunk, row, derived.markets, derived.nameSeries));
        progress.update(table.rows);
      }
      derived.manifest();
      table.close();
      table.publish();
      progress.finish(countOf(table.rows, "row"));
      terminal.out(json ? JSON.stringify({ table: out, rows: table.rows }) : `${out}: ${countOf(table.rows, "row")}`);
    } catch (error) {
      progress?.stop();
      abandon();
      throw error;
    } finally {
      off();
      await source?.close();
    }
  },
});
