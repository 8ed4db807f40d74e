/**
 * Hyperliquid l2Book, as the public archive has it. Every value is a whole book of up to 20 levels on each side, with
 * the recorder's time around it. Lines of the socket have the same `data` without `raw`.
 */
import type { Mapping } from "../mapping/schema.ts";
import type { KnownJsonLayout } from "./jsonLayouts.ts";

const LEVELS = 20;

interface Message {
  readonly raw?: Message;
  readonly channel?: unknown;
  readonly data?: { readonly levels?: unknown };
}

export const hyperliquidBook: KnownJsonLayout = {
  name: "hyperliquidBook",
  matches(value) {
    const message = value as Message | null | undefined;
    const inner = message?.raw ?? message;
    return inner?.channel === "l2Book" && Array.isArray(inner.data?.levels);
  },
  map(value: Message) {
    const data = value.raw === undefined ? "data" : "raw.data";
    const side = (index: number) => ({
      price: `${data}.levels[${index}][{i}].px`,
      size: `${data}.levels[${index}][{i}].sz`,
    });
    return {
      mapping: "hyperliquidBook",
      json: { in: "lines" },
      time: { column: `${data}.time`, unit: "ms" },
      streams: [{ kind: "depth", levels: LEVELS, bids: side(0), asks: side(1) }],
      notes: [
        "A value is a whole book of at most 20 levels a side, about two in a second: levels below are not recorded.",
      ],
    } as unknown as Mapping;
  },
};
