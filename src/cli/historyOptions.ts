import type { Command } from "commander";
import type { IntrabarOrder } from "../product/market-data/stream/barPath.ts";
import { defined, readPairs, readWhole, readWord } from "./values.ts";

/** Options for how recorded data is placed in the venue. */
export interface HistoryOptions {
  readonly fees?: string;
  readonly spread?: number;
  readonly participation?: string;
  readonly impact?: number;
  readonly intrabar?: IntrabarOrder;
  readonly block?: number;
  readonly tick?: string;
  readonly lot?: string;
  readonly set?: readonly string[];
}

/** Their names. */
export const HISTORY_OPTIONS = [
  "fees",
  "spread",
  "participation",
  "impact",
  "intrabar",
  "block",
  "tick",
  "lot",
  "set",
] as const satisfies readonly (keyof HistoryOptions)[];

const readIntrabar = readWord("--intrabar", ["nearest", "high-first", "low-first"]);

/** The same for a backtest and for a venue that is served. */
export function addHistoryOptions(command: Command): Command {
  return command
    .option("--fees <maker/taker>", "fees as ratios of value: none, 0.0005 or 0.0002/0.0005 (default: the market's)")
    .option(
      "--spread <ticks>",
      "ticks between best bid and ask of the recorded depth (default: 1)",
      readWhole("--spread"),
    )
    .option("--participation <ratio>", "bars: share of the volume that is offered as depth (default: 0.1)")
    .option(
      "--impact <ticks>",
      "bars: ticks between one quarter of the depth and the next (default: 1)",
      readWhole("--impact"),
    )
    .option(
      "--intrabar <order>",
      "bars: order of high and low: nearest, high-first or low-first (default: nearest)",
      readIntrabar,
    )
    .option("--block <ms>", "trades: time span of a block (default: 1000)", readWhole("--block"))
    .option("--tick <usd>", "step of prices (default: from the data)")
    .option("--lot <size>", "step of sizes (default: from the data)")
    .option("--set <name=value...>", "further parameters of the markets, over those of the preset replay");
}

/** As the floors below take them. */
export async function readHistoryOptions(given: HistoryOptions) {
  const { checkParameterTexts } = await import("./checkParameters.ts");
  const { readFees, resolveReplay } = await import("../product/replay/settings.ts");
  const { fees, set = [], block, spread, impact, participation, intrabar, tick, lot } = given;
  const parameters = readPairs("--set", set);
  checkParameterTexts("--set", parameters);
  const read = defined({
    fees: fees === undefined ? undefined : readFees(fees),
    parameters,
    blockMs: block,
    spreadTicks: spread,
    impactTicks: impact,
    participation,
    intrabar,
    tick,
    lot,
  });
  // Faults are found before any data is read.
  resolveReplay(read);
  return read;
}
