import { formatDecimal } from "../../../ground/math/decimal.ts";
import type { EventRow } from "../../../product/market-data/select/eventTable.ts";
import { defineCommand } from "../../command.ts";
import { formatColumns } from "../../format.ts";
import { openSources } from "../../openSources.ts";
import { readWhole } from "../../values.ts";
import { addPartOptions, type PartOptions, readPart } from "./partOptions.ts";

interface Options extends PartOptions {
  readonly rows: number;
}

/** The first events of a part. */
export const tapeHeadCommand = defineCommand<Options>({
  name: "head",
  summary: "Print the first events",
  description:
    "Prints the first events of the data, or of a part of it. With --json, an array of objects with exact decimals.",
  examples: [
    { args: "tape head btc-2024.tape", does: "The first twenty events" },
    { args: "tape head btc-2024.tape --from 2024-07-19T10:00 --kind bar --rows 3", does: "Three bars of the crash" },
  ],
  configure(command) {
    addPartOptions(command.argument("<data...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")).option(
      "-n, --rows <count>",
      "how many",
      readWhole("--rows", 10_000),
      20,
    );
  },
  async run(context, data, { rows, ...part }) {
    const { sliceData } = await import("../../../product/market-data/select/sliceData.ts");
    const { readEventRow } = await import("../../../product/market-data/select/eventTable.ts");
    const slice = await readPart(part);
    const { terminal, json } = context;
    const source = await openSources(context, { data, silent: json });
    try {
      const { chunks, markets, nameSeries } = sliceData(source, slice);
      const found: EventRow[] = [];
      for await (const chunk of chunks()) {
        for (let row = 0; row < chunk.count && found.length < rows; row++)
          found.push(readEventRow(chunk, row, markets, nameSeries));
        if (found.length === rows) break;
      }
      if (json) terminal.out(JSON.stringify(found.map(toJson)));
      else terminal.out(found.length === 0 ? "no event in this part" : formatRows(found));
    } finally {
      await source.close();
    }
  },
});

const NUMBERS = ["price", "size", "open", "high", "low", "rate"] as const;

/** Empty values are left out, decimals are text. */
function toJson(row: EventRow): Record<string, unknown> {
  const given = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, toText(row, name, value)]));
}

function toText(row: EventRow, name: string, value: unknown): unknown {
  const number = NUMBERS.find((known) => known === name);
  if (number !== undefined) return formatDecimal(row[number]!, number === "rate" ? 9 : 8);
  return name === "time" ? new Date(value as number).toISOString() : value;
}

/** The columns that any of the rows uses. */
function formatRows(rows: readonly EventRow[]): string {
  const names = (Object.keys(rows[0]!) as (keyof EventRow)[]).filter((name) => rows.some((row) => row[name] !== null));
  const cells = rows.map((row) => names.map((name) => (row[name] === null ? "" : toCell(row, name))));
  const right = names.flatMap((name, place) => (isNumber(name) ? [place] : []));
  return formatColumns([names, ...cells], right);
}

const isNumber = (name: string): boolean => name === "value" || NUMBERS.some((known) => known === name);

function toCell(row: EventRow, name: keyof EventRow): string {
  if (row[name] === null) return "";
  const text = String(toText(row, name, row[name]));
  return name === "time" ? text.replace("T", " ").replace("Z", "") : text;
}
