import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { draftMappingFile, EventKind, parseMapping, readSources } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = Date.UTC(2024, 0, 30);
const HOUR = 3_600_000;

const at = (index: number): string => new Date(T + index * HOUR).toISOString().slice(0, 19).replace("T", " ");
const rows = (count: number, line: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => line(index));

interface Shape {
  name: string;
  text: string;
  /** Parts of the drafted mapping. */
  has: object;
  /** Words of what is to be checked. */
  questions: string[];
  kinds: number[];
}

const { trade, bar, funding, mark, index } = EventKind;
const UUID = "9b8f6d62-0000-4000-8000-00000000000";

const shapes: Shape[] = [
  {
    name: "Tardis trades",
    text: lines(
      "exchange,symbol,timestamp,local_timestamp,id,side,price,amount",
      ...rows(3, (i) => `x,BTCUSDT,${T + i}000,${T + i}999,${70 + i},${i === 1 ? "sell" : "buy"},100.5,0.25`),
    ),
    has: {
      time: { column: "timestamp", unit: "us" },
      streams: [
        {
          kind: "trades",
          price: "price",
          size: "amount",
          side: { column: "side", buy: ["buy"], sell: ["sell"] },
          id: { column: "id", rule: "contiguous" },
        },
      ],
    },
    questions: ["in base units", "side of the taker"],
    kinds: [trade, trade, trade],
  },
  {
    name: "Bybit trades: fractions of seconds, ids that are no numbers",
    text: lines(
      "timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional",
      ...rows(
        3,
        (i) => `${T / 1000 + i}.25,BTCUSDT,${i === 1 ? "Sell" : "Buy"},0.5,100,PlusTick,${UUID}${i},5e9,0.5,50`,
      ),
    ),
    has: { time: { column: "timestamp", unit: "s" }, streams: [{ kind: "trades", price: "price", size: "size" }] },
    questions: ["in base units", "side of the taker"],
    kinds: [trade, trade, trade],
  },
  {
    name: "OKX trades of several instruments",
    text: lines(
      "instrument_name,trade_id,side,price,size,created_time",
      ...rows(4, (i) => `${i % 2 === 0 ? "BTC" : "ETH"}-USDT-SWAP,${[5, 9, 3, 8][i]},BUY,100,2,${T + i}`),
    ),
    has: {
      where: { instrument_name: "BTC-USDT-SWAP" },
      streams: [{ kind: "trades", id: { column: "trade_id", rule: "unique" } }],
    },
    questions: ["in base units", "side of the taker", "several symbols"],
    kinds: [trade, trade],
  },
  {
    name: "settled funding, some milliseconds late",
    text: lines("Symbol,Date,Funding Rate", ...rows(4, (i) => `BTC,${at(8 * i)}.0${i}0,0.0001`)),
    has: { streams: [{ kind: "funding", rate: { column: "Funding Rate", unit: "fraction" }, interval: "8h" }] },
    questions: ["a fraction, percent or bps"],
    kinds: [funding, funding, funding, funding],
  },
  {
    name: "mark and index",
    text: lines("time_ms,mark_price,index_price", ...rows(2, (i) => `${T + i * HOUR},100,101`)),
    has: { streams: [{ kind: "index" }, { kind: "mark" }] },
    questions: [],
    kinds: [index, mark, index, mark],
  },
  {
    name: "bars without a volume",
    text: lines("time,open,high,low,close", ...rows(3, (i) => `${T + i * HOUR},1,2,1,1`)),
    has: { streams: [{ kind: "bars", volume: { constant: "1" } }] },
    questions: ["no column of volume"],
    kinds: [bar, bar, bar],
  },
  {
    name: "bars with a volume in contracts",
    text: lines("when,o,h,l,c,contracts", ...rows(3, (i) => `${at(i)},1,2,1,1,7`)),
    has: { streams: [{ kind: "bars", volume: { column: "contracts", unit: "contracts", multiplier: "1" } }] },
    questions: ["how many base units a contract is"],
    kinds: [bar, bar, bar],
  },
  {
    name: "numbers that are no prices",
    text: lines(
      "create_time,symbol,sum_open_interest,id,long short ratio,note",
      ...rows(3, (i) => `${at(i)},BTCUSDT,${75_000 + i}.5,${i},${i === 1 ? "" : "1.2"},text`),
    ),
    has: {
      time: { column: "create_time" },
      streams: [
        {
          kind: "series",
          values: { sum_open_interest: "sum_open_interest", long_short_ratio: "long short ratio" },
          delay: "1h",
          spacing: "1h",
          skipEmpty: true,
        },
      ],
    },
    questions: ["counts as known 1h after its time"],
    kinds: [],
  },
  {
    name: "a file that says nothing",
    text: lines("a1,b1", "x,7", "y,8"),
    has: { streams: [{ kind: "index" }] },
    questions: ["no known form", "neither bars"],
    kinds: [],
  },
];

test.each(shapes)(
  "$name: the draft is a valid mapping, with what to check",
  async ({ name, text, has, questions, kinds }) => {
    const stem = name.replace(/\W+/g, "_");
    const path = folder.write(`${stem}.csv.gz`, gzipSync(text));
    const draft = await draftMappingFile(path);
    expect(parseMapping(draft.text, "draft.yaml")).toMatchObject(has);
    expect(draft.questions).toHaveLength(questions.length);
    for (const [at, word] of questions.entries()) {
      expect(draft.questions[at]).toContain(word);
      expect(draft.text).toContain(`# CHECK: ${draft.questions[at]}`);
    }
    if (kinds.length === 0) return;
    const layout = folder.write(`${stem}.yaml`, draft.text);
    const source = await readSources({ sources: [{ path, market: "M", layout }] });
    expect((await collect(source)).map(({ kind }) => kind)).toEqual(kinds);
  },
);

test("a draft of series has neither the time nor ids nor texts", async () => {
  const text = lines("unix,id,note,open interest", ...rows(3, (i) => `${1_700_000_000 + i},${i},a,1.5`));
  const draft = await draftMappingFile(folder.write("oi.csv", text));
  expect(draft.mapping.streams).toEqual([expect.objectContaining({ values: { open_interest: "open interest" } })]);
});

test("a file that is no table, and one that is no text, cannot be drafted", async () => {
  await expectError(draftMappingFile(folder.write("one.csv", "a\nb\nc\n")), { code: "DATA_LAYOUT", file: "one.csv" });
  await expectError(draftMappingFile(folder.write("rows.json", "[[1]]")), { code: "DATA_LAYOUT", file: "rows.json" });
  await expectError(draftMappingFile(folder.write("bars.7z", "7z\xbc\xaf")), { code: "DATA_LAYOUT" });
  await expectError(draftMappingFile(folder.path("missing.csv")), { code: "FILE_MISSING" });
});

test("a German table with the date and the time of day in two columns needs no decision", async () => {
  const hour = (i: number) => `${10 + i}:00`;
  const table = [
    "Datum;Zeit;Open;High;Low;Close;Volumen",
    ...rows(5, (i) => `13.02.2024;${hour(i)};100,5;101;99;100;3,25`),
  ];
  const { mapping, questions } = await draftMappingFile(folder.write("german.csv", lines(...table)));
  expect(questions).toEqual([]);
  expect(mapping).toMatchObject({
    time: { column: "Datum", timeColumn: "Zeit", unit: "text", format: "DD.MM.YYYY HH:mm" },
    streams: [{ kind: "bars", interval: "1h", volume: "Volumen" }],
  });
});
