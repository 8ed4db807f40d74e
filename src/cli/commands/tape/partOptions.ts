import type { Command } from "commander";
import { findNearest } from "../../../ground/collections/nearest.ts";
import type { Slice } from "../../../product/market-data/select/sliceData.ts";
import type { EventKindName } from "../../../product/market-data/types.ts";
import { usageError } from "../../fail.ts";
import { readTime } from "../../values.ts";

/** Which part of the data a command takes. */
export interface PartOptions {
  readonly from?: string;
  readonly to?: string;
  readonly market?: readonly string[];
  readonly kind?: readonly string[];
}

export function addPartOptions(command: Command): Command {
  return command
    .option("--from <time>", "first moment, UTC: 2024-07-01 or 2024-07-01T12:00; a bar counts by its open")
    .option("--to <time>", "end of the part, not included")
    .option("--market <name...>", "these markets (default: all)")
    .option("--kind <kind...>", "these kinds: trade, bar, mark, index, funding, depth, quote, series (default: all)");
}

/** @throws {CliError} OPTION_INVALID */
export async function readPart({ from, to, market, kind }: PartOptions): Promise<Slice> {
  const slice = {
    fromMs: await readTime("--from", from),
    toMs: await readTime("--to", to),
    markets: market,
    kinds: kind === undefined ? undefined : await Promise.all(kind.map(readKind)),
  };
  if (slice.fromMs !== undefined && slice.toMs !== undefined && slice.fromMs >= slice.toMs) {
    throw usageError("OPTION_INVALID", "the part ends before it begins", { place: "--to", hint: "give a later time" });
  }
  return slice;
}

async function readKind(text: string): Promise<EventKindName> {
  const { EVENT_KINDS } = await import("../../../product/market-data/types.ts");
  const kind = EVENT_KINDS.find((name) => name === text);
  if (kind !== undefined) return kind;
  const nearest = findNearest(text, EVENT_KINDS);
  throw usageError("OPTION_INVALID", `there is no kind ${JSON.stringify(text)}`, {
    place: "--kind",
    hint: `${nearest === undefined ? "" : `did you mean ${nearest}? `}use ${EVENT_KINDS.join(", ")}`,
  });
}
