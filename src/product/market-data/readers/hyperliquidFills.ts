/**
 * Hyperliquid fills as a node writes them: `["0xuser", {fill}]` on each line, or all of a block in `events`. Every
 * trade is two fills, that of the maker and that of the taker (`crossed`): the taker's is read.
 */
import type { Mapping } from "../mapping/schema.ts";
import type { KnownJsonLayout } from "./jsonLayouts.ts";

interface Block {
  readonly events?: unknown;
}

export const hyperliquidFills: KnownJsonLayout = {
  name: "hyperliquidFills",
  hasManyInstruments: true,
  matches: (value) => isFill(value) || isBlock(value),
  map(value: unknown, instrument: string) {
    return {
      mapping: "hyperliquidFills",
      json: isBlock(value) ? { in: "lines", rows: ["events"] } : { in: "lines" },
      where: { "[1].coin": instrument, "[1].crossed": true },
      time: { column: "[1].time", unit: "ms" },
      streams: [
        {
          kind: "trades",
          price: "[1].px",
          size: "[1].sz",
          side: { column: "[1].side", buy: ["B"], sell: ["A"] },
          id: { column: "[1].tid", rule: "unique" },
        },
      ],
      notes: ["Of the two fills of a trade that of the taker is read."],
    } as unknown as Mapping;
  },
};

function isFill(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== "string") return false;
  const fill: unknown = value[1];
  return (
    typeof fill === "object" && fill !== null && ["coin", "px", "sz", "crossed", "tid"].every((key) => key in fill)
  );
}

function isBlock(value: unknown): value is Block {
  const events = (value as Block | null | undefined)?.events;
  return Array.isArray(events) && typeof value === "object" && value !== null && "block_number" in value;
}
