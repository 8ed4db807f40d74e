import { expect, test } from "vitest";
import { draftMappingFile, EventKind, parseMapping, readSources } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, lines } from "../helpers.ts";

const folder = createFolder();
const T = 1_709_596_800_000;
const { depth, quote } = EventKind;

const books: [name: string, text: string, streams: object[], questions: string[], kinds: number[]][] = [
  [
    "changes with update ids",
    lines(
      "time_ms,first_update_id,final_update_id,prev_final_update_id,side,price,qty",
      `${T},1,2,0,b,100,1`,
      `${T + 1},3,4,2,a,101,0`,
    ),
    [
      {
        kind: "depth",
        price: "price",
        size: "qty",
        side: { column: "side", bid: ["b"], ask: ["a"] },
        id: { column: "final_update_id", previous: "prev_final_update_id" },
      },
    ],
    ["the size that the level has now", "no column marks a snapshot"],
    [],
  ],
  [
    "a snapshot, one id in all rows",
    lines("time_ms,last_update_id,side,price,qty", `${T},7,b,100,1`, `${T},7,a,101,2`),
    [{ kind: "depth", snapshot: "all", id: { column: "last_update_id", rule: "rising" } }],
    ["the size that the level has now"],
    [depth, depth],
  ],
  [
    "changes and snapshots with words",
    lines("time_ms,is_snapshot,side,price,amount", `${T},true,bid,100,1`, `${T + 1},false,ask,101,2`),
    [{ kind: "depth", snapshot: { column: "is_snapshot", yes: ["true", "True"], no: ["false", "False"] } }],
    ["the size that the level has now"],
    [depth, depth],
  ],
  [
    "best bid and ask",
    lines("time_ms,update_id,bid_px,bid_qty,ask_px,ask_qty", `${T},7,100,1,101,2`),
    [
      {
        kind: "quotes",
        bid: { price: "bid_px", size: "bid_qty" },
        ask: { price: "ask_px", size: "ask_qty" },
        id: "update_id",
      },
    ],
    ["in base units"],
    [quote, quote],
  ],
  [
    "best levels",
    lines(
      "time_ms,bid_px_0,bid_qty_0,bid_px_1,bid_qty_1,ask_px_0,ask_qty_0,ask_px_1,ask_qty_1",
      `${T},100,1,99,2,101,3,102,4`,
    ),
    [
      {
        kind: "depth",
        levels: 2,
        bids: { price: "bid_px_{i}", size: "bid_qty_{i}" },
        asks: { price: "ask_px_{i}", size: "ask_qty_{i}" },
      },
    ],
    ["in base units"],
    [depth, depth, depth, depth],
  ],
  [
    "best levels counted from 1, of one side more than of the other",
    lines("time_ms,bid1_price,bid1_size,bid2_price,bid2_size,ask1_price,ask1_size", `${T},100,1,99,2,101,3`),
    [{ kind: "depth", levels: 1, firstLevel: 1, bids: { price: "bid{i}_price", size: "bid{i}_size" } }],
    ["in base units"],
    [depth, depth],
  ],
  [
    "best prices without sizes",
    lines("unix_timestamp,bid,ask,mid", `${T / 1000},100,101,100.5`),
    [{ kind: "index", price: "bid" }],
    ["no stream of quotes can be drafted"],
    [],
  ],
];

test.each(books)("%s: the draft has its stream and what to check", async (name, text, streams, questions, kinds) => {
  const stem = name.replace(/\W+/g, "_");
  const path = folder.write(`${stem}.csv`, text);
  const draft = await draftMappingFile(path);
  expect(parseMapping(draft.text, "draft.yaml")).toMatchObject({ streams });
  expect(draft.questions).toHaveLength(questions.length);
  for (const [at, words] of questions.entries()) expect(draft.questions[at]).toContain(words);
  if (kinds.length === 0) return;
  const layout = folder.write(`${stem}.yaml`, draft.text);
  const source = await readSources({ sources: [{ path, market: "M", layout }] });
  expect((await collect(source)).map(({ kind }) => kind)).toEqual(kinds);
});

test("trades with ids, and a side of buy and sell, are no book", async () => {
  const text = lines("time_ms,trade_id,side,price,qty", `${T},7,buy,100,1`, `${T + 1},8,sell,100,1`);
  const { mapping } = await draftMappingFile(folder.write("trades.csv", text));
  expect(mapping.streams).toMatchObject([{ kind: "trades" }]);
});
