/**
 * Bybit order books: a snapshot, then the levels that change, with the size that each has now. A snapshot may come
 * again at any line and replaces the book. Ids rise; that each is one more than the one before it is stated nowhere.
 */
import type { Mapping } from "../mapping/schema.ts";
import { INVERSE } from "./bybitTrades.ts";
import type { KnownJsonLayout } from "./jsonLayouts.ts";

interface Message {
  readonly topic?: unknown;
  readonly type?: unknown;
  readonly cts?: unknown;
  readonly data?: { readonly s?: unknown; readonly b?: unknown; readonly a?: unknown };
}

export const bybitBook: KnownJsonLayout = {
  name: "bybitBook",
  matches(value) {
    const { topic, data } = (value ?? {}) as Message;
    return (
      typeof topic === "string" && topic.startsWith("orderbook.") && Array.isArray(data?.b) && Array.isArray(data.a)
    );
  },
  refuse({ data }: Message) {
    const symbol = String(data?.s);
    if (!INVERSE.test(symbol)) return undefined;
    return {
      reason: `${symbol} is an inverse contract, whose sizes are in USD`,
      hint: 'write a mapping file like data/mappings/bybit_book.yaml with size: { column: "[1]", unit: quote }',
    };
  },
  symbol: "$.data.s",
  map({ cts }: Message) {
    return {
      mapping: "bybitBook",
      json: { in: "lines", rows: ["data.b", "data.a"] },
      // The matching engine's time, which older files do not have.
      time: { column: cts === undefined ? "$.ts" : "$.cts", unit: "ms" },
      streams: [
        {
          kind: "depth",
          price: "[0]",
          size: "[1]",
          side: { column: "$rows", bid: ["data.b"], ask: ["data.a"] },
          snapshot: { column: "$.type", yes: ["snapshot"], no: ["delta"] },
          id: { column: "$.data.u", rule: "rising" },
        },
      ],
      notes: [
        cts === undefined
          ? "The time of a row is ts, when the venue sent it."
          : "The time of a row is cts, that of the matching engine.",
      ],
    } as unknown as Mapping;
  },
};
