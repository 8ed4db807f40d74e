import { expect, test } from "vitest";
import { readSources } from "../../../../src/product/market-data/index.ts";
import { type EventRow, readEventRow } from "../../../../src/product/market-data/select/eventTable.ts";
import { createFolder, lines } from "../helpers.ts";

const folder = createFolder();
const START = 1_704_067_200_000;

const FULL = `
mapping: full
header: true
time: { column: t, unit: ms }
streams:
  - { kind: trades, price: p, size: q, side: { column: s, buy: [b], sell: [a] }, id: { column: u, rule: rising } }
  - { kind: depth, price: p, size: l, side: { column: s, bid: [b], ask: [a] }, snapshot: all, id: { column: u, rule: rising } }
  - { kind: quotes, bid: { price: o, size: k }, ask: { price: o, size: k }, id: u }
  - { kind: index, price: p }
  - { kind: funding, rate: { column: r, unit: fraction }, interval: 8h }
  - { kind: bars, label: open, interval: 1m, open: p, high: p, low: p, close: p, volume: l }
`;

test("each kind has a value in its own columns, and none in the others", async () => {
  const path = folder.write("full.csv", lines("t,p,q,s,u,r,o,l,k", `${START},100.5,2,b,7,-0.0001,100.5,2,2`));
  const source = await readSources({ sources: [{ path, layout: folder.write("full.yaml", FULL), market: "M" }] });
  const rows: Record<string, Partial<EventRow>> = {};
  for await (const chunk of source.chunks()) {
    for (let at = 0; at < chunk.count; at++) {
      const row = readEventRow(chunk, at, ["M"], String);
      rows[row.kind] ??= Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
    }
  }
  const base = { market: "M", time: START };
  const price = 100_5000_0000;
  expect(rows).toEqual({
    index: { ...base, kind: "index", price },
    funding: { ...base, kind: "funding", rate: -100_000, intervalMs: 28_800_000 },
    trade: { ...base, kind: "trade", side: "buy", price, size: 2e8, id: 7 },
    depth: { ...base, kind: "depth", side: "bid", price, size: 2e8, id: 7, snapshot: true, gap: false },
    quote: { ...base, kind: "quote", side: "bid", price, size: 2e8, id: 7 },
    bar: {
      ...base,
      time: START + 60_000,
      kind: "bar",
      price,
      size: 2e8,
      open: price,
      high: price,
      low: price,
      intervalMs: 60_000,
    },
  });
});
