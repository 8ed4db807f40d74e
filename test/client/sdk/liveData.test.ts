import { expect, test } from "vitest";
import type { ReportedBlock } from "../../../src/client/sdk/strategy/accountFacts.ts";
import { LiveBars } from "../../../src/client/sdk/strategy/liveBars.ts";
import { LiveData } from "../../../src/client/sdk/strategy/liveData.ts";

const MINUTE = 60_000;

/** A block with one trade in each market. */
const block = (timeMs: number, price: string): ReportedBlock => ({
  timeMs,
  transactions: [],
  events: [
    { kind: "fill", fields: { market: "A", price, size: "2", takerSide: "buy" } },
    { kind: "fill", fields: { market: "B", price, size: "2", takerSide: "buy" } },
    { kind: "printed", fields: { market: "A", price, size: "0", side: "sell" } },
  ] as never,
});

test("trades and bars are shown block by block: a bar after the trades in it, and before later ones", () => {
  const seen: string[] = [];
  const blocks = [block(1, "10"), block(MINUTE, "11"), block(MINUTE + 1, "12"), block(3 * MINUTE - 1, "13")];
  new LiveData(["A"], new LiveBars(MINUTE, 0, ["A"])).show(blocks, {
    takesTrades: true,
    takesBars: true,
    takeTrade: ({ market, timeMs, price, size, side }) =>
      void seen.push(`trade ${market} ${timeMs} ${price} ${size} ${side}`),
    takeBar: ({ closeTimeMs, close }) => void seen.push(`bar ${closeTimeMs} ${close}`),
  });
  expect(seen).toEqual([
    "trade A 1 10 2 buy",
    "trade A 60000 11 2 buy",
    "bar 60000 11",
    "trade A 60001 12 2 buy",
    "bar 120000 12",
    "trade A 179999 13 2 buy",
  ]);
});
