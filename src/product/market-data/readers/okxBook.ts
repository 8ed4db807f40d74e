/**
 * OKX order books of 400 levels: a snapshot, then the levels that change, with the size that each has now. Sizes of
 * spot are base units, those of swaps and futures contracts. Updates have no ids.
 */
import type { Mapping } from "../mapping/schema.ts";
import type { KnownJsonLayout } from "./jsonLayouts.ts";
import { refuseContracts } from "./okxTrades.ts";

interface Message {
  readonly instId?: unknown;
  readonly action?: unknown;
  readonly bids?: unknown;
  readonly asks?: unknown;
}

export const okxBook: KnownJsonLayout = {
  name: "okxBook",
  matches(value) {
    const { instId, action, bids, asks } = (value ?? {}) as Message;
    return typeof instId === "string" && typeof action === "string" && Array.isArray(bids) && Array.isArray(asks);
  },
  refuse: ({ instId }: Message) =>
    refuseContracts(
      String(instId),
      'write a mapping file like data/mappings/okx_book.yaml with size: { column: "[1]", unit: contracts, multiplier: "0.01" }, the contract value (ctVal) of the instrument',
    ),
  map: () =>
    ({
      mapping: "okxBook",
      json: { in: "lines", rows: ["bids", "asks"] },
      time: { column: "$.ts", unit: "ms" },
      streams: [
        {
          kind: "depth",
          price: "[0]",
          size: "[1]",
          side: { column: "$rows", bid: ["bids"], ask: ["asks"] },
          snapshot: { column: "$.action", yes: ["snapshot"], no: ["update"] },
        },
      ],
      notes: ["Updates have no ids: one that is missing is not found."],
    }) as unknown as Mapping,
};
