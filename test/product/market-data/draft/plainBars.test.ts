import { expect, test } from "vitest";
import { readSources } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
let files = 0;

const T = Date.UTC(2024, 0, 30);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Prices of a bar by its number: open, high, low, close and volume as text. */
function cellsOf(index: number): [open: string, high: string, low: string, close: string, volume: string] {
  return [`${100 + index}.5`, `${103 + index}`, `${99 + index}.25`, `${101 + index}`, `${12 + index}.5`];
}

/** A file of bars: one line for each of `count`, made of the bar's open time and its cells. */
function bars(count: number, step: number, line: (ms: number, cells: ReturnType<typeof cellsOf>) => string): string[] {
  return Array.from({ length: count }, (_, index) => line(T + index * step, cellsOf(index)));
}

async function read(content: string | Uint8Array, layout?: string) {
  files++;
  const path = folder.write(`P${files}.csv`, content);
  const source = await readSources({ sources: [{ path, market: "M", ...(layout === undefined ? {} : { layout }) }] });
  return { source, events: await collect(source), notes: source.manifest.sources[0]!.notes.join(" ") };
}

const iso = (ms: number): string => new Date(ms).toISOString();
const space = (ms: number): string => iso(ms).slice(0, 19).replace("T", " ");
const day = (ms: number): string => iso(ms).slice(0, 10);
const dmy = (ms: number, between: string): string => day(ms).split("-").reverse().join(between);
const mdy = (ms: number): string => `${day(ms).slice(5, 7)}/${day(ms).slice(8)}/${day(ms).slice(0, 4)}`;

interface Shape {
  name: string;
  step: number;
  text: string;
  /** A word of what is printed about it. */
  says: string;
  volume?: number;
}

const shapes: Shape[] = [
  {
    name: "time,open,high,low,close,volume in seconds",
    step: HOUR,
    text: lines("time,open,high,low,close,volume", ...bars(5, HOUR, (ms, c) => [ms / 1000, ...c].join())),
    says: "s since 1970",
  },
  {
    name: "the same in milliseconds, upper case",
    step: MINUTE,
    text: lines("TIMESTAMP,OPEN,HIGH,LOW,CLOSE,VOLUME", ...bars(5, MINUTE, (ms, c) => [ms, ...c].join())),
    says: "ms since 1970",
  },
  {
    name: "the same in microseconds, CRLF, no end of the last line",
    step: 5 * MINUTE,
    text: ["Open Time,Open,High,Low,Close,Volume", ...bars(5, 5 * MINUTE, (ms, c) => [`${ms}000`, ...c].join())].join(
      "\r\n",
    ),
    says: "us since 1970",
  },
  {
    name: "the same in nanoseconds, short names, another order",
    step: HOUR,
    text: lines("v,c,l,h,o,t", ...bars(5, HOUR, (ms, c) => [...c.toReversed(), `${ms}000000`].join())),
    says: "ns since 1970",
  },
  {
    name: "ISO times with a zone and a byte order mark",
    step: HOUR,
    text: `\uFEFF${lines("datetime,open,high,low,close,volume", ...bars(5, HOUR, (ms, c) => [`${space(ms)}+00:00`, ...c].join()))}`,
    says: "with its zone",
  },
  {
    name: "CryptoDataDownload: an address first, the newest row first, two volumes",
    step: HOUR,
    text: lines(
      "https://www.example.com",
      "unix,date,symbol,open,high,low,close,Volume BTC,Volume USDT,tradecount",
      ...bars(5, HOUR, (ms, c) => [ms, space(ms), "BTC/USDT", ...c, Number(c[4]) * 100.5, 7].join()).toReversed(),
    ),
    says: 'column "Volume BTC", in base units',
  },
  {
    name: "CryptoDataDownload as it was: hours with AM and PM",
    step: HOUR,
    text: lines(
      "https://www.example.com",
      "Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USD",
      ...bars(5, HOUR, (ms, c) => {
        const hour = new Date(ms).getUTCHours();
        return [
          `${day(ms)} ${`${hour % 12 || 12}`.padStart(2, "0")}-${hour < 12 ? "AM" : "PM"}`,
          "BTCUSD",
          ...c,
          Number(c[4]) * 101,
        ].join();
      }).toReversed(),
    ),
    says: "YYYY-MM-DD hh-A",
  },
  {
    name: "a volume and its value, called volume and volume of a currency",
    step: HOUR,
    text: lines(
      "Timestamps are UTC timezone,https://www.example.com",
      "date,symbol,open,high,low,close,volume,volume_btc",
      ...bars(5, HOUR, (ms, c) => [space(ms), "BTCUSD", ...c.slice(0, 4), Number(c[4]) * Number(c[3]), c[4]].join()),
    ),
    says: 'column "volume_btc", in base units',
  },
  {
    name: "a header with one name for a date and a time",
    step: MINUTE,
    text: lines(
      "Date,Open,High,Low,Close,Volume,OpenInterest",
      ...bars(5, MINUTE, (ms, c) => [day(ms), iso(ms).slice(11, 19), ...c, 0].join()),
    ),
    says: "column 1 and column 2",
  },
  {
    name: "TradingView: seconds, columns of indicators",
    step: 4 * HOUR,
    text: lines(
      "time,open,high,low,close,MA,Volume",
      ...bars(5, 4 * HOUR, (ms, c) => [ms / 1000, ...c.slice(0, 4), "NaN", c[4]].join()),
    ),
    says: "lasts 4h",
  },
  {
    name: "TradingView: ISO with a zone",
    step: HOUR,
    text: lines(
      "time,open,high,low,close,Volume",
      ...bars(5, HOUR, (ms, c) => [iso(ms).replace(".000", ""), ...c].join()),
    ),
    says: "with its zone",
  },
  {
    name: "yfinance: days, an adjusted close, float noise",
    step: DAY,
    text: lines(
      "Date,Open,High,Low,Close,Adj Close,Volume",
      ...bars(5, DAY, (ms, [o, h, l, c, v]) => [day(ms), `${o}00000000001`, h, l, c, c, v].join()),
    ),
    says: "UTC is assumed",
  },
  {
    name: "yfinance of today: three lines of header",
    step: DAY,
    text: lines(
      "Price,Close,High,Low,Open,Volume",
      "Ticker,BTC-USD,BTC-USD,BTC-USD,BTC-USD,BTC-USD",
      "Date,,,,,",
      ...bars(5, DAY, (ms, [o, h, l, c, v]) => [day(ms), c, h, l, o, v].join()),
    ),
    says: "lasts 1d",
  },
  {
    name: "a data frame: a column of numbers without a name",
    step: HOUR,
    text: lines(
      ",timestamp,open,high,low,close,volume",
      ...bars(5, HOUR, (ms, c) => [(ms - T) / HOUR, ms, ...c].join()),
    ),
    says: "ms since 1970",
  },
  {
    name: "a data frame whose index is the time",
    step: HOUR,
    text: lines(",open,high,low,close,volume", ...bars(5, HOUR, (ms, c) => [space(ms), ...c].join())),
    says: "column 1, ISO 8601",
  },
  {
    name: "six columns without a header",
    step: MINUTE,
    text: lines(...bars(5, MINUTE, (ms, c) => [ms, ...c].join())),
    says: "column 6",
  },
  {
    name: "Kraken: seven columns without a header, seconds",
    step: 15 * MINUTE,
    text: lines(...bars(5, 15 * MINUTE, (ms, c) => [ms / 1000, ...c, 9].join())),
    says: "lasts 15m",
  },
  {
    name: "Kaggle: volume in two currencies, rows without values",
    step: MINUTE,
    text: lines(
      "Timestamp,Open,High,Low,Close,Volume_(BTC),Volume_(Currency),Weighted_Price",
      `${T / 1000 - 60},NaN,NaN,NaN,NaN,NaN,NaN,NaN`,
      ...bars(5, MINUTE, (ms, c) => [ms / 1000, ...c, Number(c[4]) * 100, 100].join()),
    ),
    says: 'column "Volume_(BTC)"',
  },
  {
    name: "OKX: the newest first, volume in contracts and in both currencies",
    step: HOUR,
    text: lines(
      "ts,o,h,l,c,vol,volCcy,volCcyQuote,confirm",
      ...bars(5, HOUR, (ms, c) =>
        [ms, ...c.slice(0, 4), Number(c[4]) * 100, c[4], Number(c[4]) * Number(c[3]), 1].join(),
      ).toReversed(),
    ),
    says: 'column "volCcy", in base units',
  },
  {
    name: "Bybit: volume and turnover",
    step: HOUR,
    text: lines(
      "startTime,openPrice,highPrice,lowPrice,closePrice,volume,turnover",
      ...bars(5, HOUR, (ms, c) => [ms, ...c, Number(c[4]) * 100].join()),
    ),
    says: 'column "volume", in base units',
  },
  {
    name: "semicolons, decimal commas, quoted",
    step: DAY,
    text: lines(
      '"Datum";"Open";"High";"Low";"Close";"Volume"'.replace("Datum", "Date"),
      ...bars(5, DAY, (ms, c) => [`"${dmy(ms, ".")}"`, ...c.map((cell) => `"${cell.replace(".", ",")}"`)].join(";")),
    ),
    says: "DD.MM.YYYY",
  },
  {
    name: "date and time in two columns, tabs",
    step: HOUR,
    text: lines(
      "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<VOL>",
      ...bars(30, HOUR, (ms, c) => [day(ms).replaceAll("-", "."), iso(ms).slice(11, 19), ...c].join("\t")),
    ),
    says: 'column "<DATE>" and column "<TIME>"',
  },
  {
    name: "date and time in two columns without a header",
    step: MINUTE,
    text: lines(...bars(5, MINUTE, (ms, c) => [day(ms).replaceAll("-", "."), iso(ms).slice(11, 16), ...c].join())),
    says: "YYYY.MM.DD HH:mm",
  },
  {
    name: "the month before the day, spaces after commas",
    step: DAY,
    text: lines("Date, Open, High, Low, Close, Volume", ...bars(5, DAY, (ms, c) => [mdy(ms), ...c].join(", "))),
    says: "MM/DD/YYYY",
  },
  {
    name: "the day before the month, found by the distance of the rows",
    step: DAY,
    text: lines("Date,Open,High,Low,Close,Volume", ...bars(5, DAY, (ms, c) => [dmy(ms + 2 * DAY, "/"), ...c].join())),
    says: "DD/MM/YYYY",
  },
  {
    name: "a volume that can only be in quote",
    step: DAY,
    text: lines(
      "Date,Open,High,Low,Close,Volume",
      ...bars(5, DAY, (ms, c) => [day(ms), ...c.slice(0, 4), 30_000_000_000_000].join()),
    ),
    says: "in quote units",
    volume: 3e13,
  },
  {
    name: "the close of a bar as the only time",
    step: HOUR,
    text: lines("close_time,open,high,low,close,volume", ...bars(5, HOUR, (ms, c) => [ms + HOUR, ...c].join())),
    says: "A bar closes at the time of its row and lasts 1h.",
  },
  {
    name: "German names and forms",
    step: HOUR,
    text: lines(
      "Zeit;Eröffnung;Hoch;Tief;Schluss;Volumen",
      ...bars(5, HOUR, (ms, c) =>
        [`${dmy(ms, ".")} ${iso(ms).slice(11, 16)}`, ...c.map((cell) => cell.replace(".", ","))].join(";"),
      ),
    ),
    says: "DD.MM.YYYY HH:mm",
  },
  {
    name: "names that are written out",
    step: HOUR,
    text: lines("Candle Time,Opening,Highest,Lowest,Closing,Volume", ...bars(5, HOUR, (ms, c) => [ms, ...c].join())),
    says: 'column "Candle Time"',
  },
  {
    name: "Chinese names",
    step: HOUR,
    text: lines("时间,开盘价,最高价,最低价,收盘价,成交量", ...bars(5, HOUR, (ms, c) => [space(ms), ...c].join())),
    says: "UTC is assumed",
  },
];

test.each(shapes)("$name", async ({ step, text, says, volume }) => {
  const { source, events, notes } = await read(text);
  expect(source.manifest.sources[0]).toMatchObject({ layout: "ohlcv" });
  expect(notes).toContain(says);
  const shift = text.includes("01/02/2024") && says.startsWith("DD") ? 2 * DAY : 0;
  const seen = events.slice(0, 5).map(({ timeMs, intervalMs, open, high, low, price, size }) => {
    return [timeMs - intervalMs - shift, intervalMs, open / 1e8, high / 1e8, low / 1e8, price / 1e8, size / 1e8];
  });
  const wanted = Array.from({ length: 5 }, (_, index) => {
    const [open, high, low, close, size] = cellsOf(index).map(Number);
    const base = volume === undefined ? size! : Math.floor((volume / close!) * 1e8) / 1e8;
    return [T + index * step, step, open, high, low, close, base];
  });
  for (const [index, row] of wanted.entries()) {
    for (const [column, value] of row.entries()) {
      expect(Math.abs(seen[index]![column]! - value!)).toBeLessThanOrEqual(Math.abs(value!) * 1e-9);
    }
  }
  expect(source.manifest.quality.findings.filter(({ kind }) => kind !== "precision" && kind !== "nullRow")).toEqual([]);
});

const unclear: [name: string, text: string, message: string][] = [
  [
    "a day that may be a month",
    lines("Date,Open,High,Low,Close,Volume", "01/02/2024,1,2,1,1,1", "02/03/2024,1,2,1,1,1"),
    "DD/MM/YYYY",
  ],
  ["one row, which has no distance to another", lines("time,open,high,low,close,volume", `${T},1,2,1,1,1`), "interval"],
  [
    "no volume",
    lines("time,open,high,low,close", ...bars(5, HOUR, (ms, c) => [ms, ...c.slice(0, 4)].join())),
    "volume",
  ],
  [
    "a mark price, whose volume is 0",
    lines("time,open,high,low,close,volume", ...bars(5, HOUR, (ms, c) => [ms, ...c.slice(0, 4), 0].join())),
    "mark or an index",
  ],
  [
    "columns whose numbers are no bars",
    lines("time,open,high,low,close,volume", ...bars(5, HOUR, (ms, [o, h, l, c, v]) => [ms, o, l, h, c, v].join())),
    "outside of low and high",
  ],
  [
    "the last millisecond of a bar as the only time",
    lines("close_time,open,high,low,close,volume", ...bars(5, HOUR, (ms, c) => [ms + HOUR - 1, ...c].join())),
    "the last millisecond of a bar",
  ],
  [
    "rows in no order",
    lines(
      "time,open,high,low,close,volume",
      ...bars(9, HOUR, (ms, c) => [ms, ...c].join()).map((_, at, all) => all[(at * 4) % 9]!),
    ),
    "the rows are in no order of time: sort them by time",
  ],
  [
    "more columns than a message needs",
    lines(`time,${Array.from({ length: 404 }, (_, at) => `bid_${at}`).join()}`, `${T},${"1,".repeat(403)}1`),
    'bid_10" and 393 more, and they are not time, open',
  ],
  ["trades", lines("time,price,size", ...bars(5, HOUR, (ms, c) => [ms, c[0], c[4]].join())), "not time, open"],
  [
    "several symbols",
    lines(
      "symbol,time,open,high,low,close,volume",
      ...bars(6, HOUR, (ms, c) => [ms % (2 * HOUR) === 0 ? "BTC" : "ETH", ms, ...c].join()),
    ),
    "several symbols (BTC, ETH)",
  ],
];

test.each(unclear)("%s is refused, and the hint names the way to a mapping", async (_name, text, message) => {
  const error = await expectError(read(text), { code: "DATA_LAYOUT", line: 1 });
  expect(error.message).toContain(message);
  expect(error.hint).toContain("--draft-mapping");
});

test.each([
  [
    "separators of thousands",
    '"61,200","61,300","61,100","61,250"',
    '"61,200"',
    "write it without separators of thousands",
  ],
  ["a word", "high,61300,61100,61250", '"high"', "correct it in the file"],
])("bars with %s for a price name the column and the text", async (_name, prices, shown, advice) => {
  const text = lines("time,open,high,low,close,volume", ...bars(5, HOUR, (ms) => `${ms},${prices},5`));
  const error = await expectError(read(text), { code: "DATA_LAYOUT", line: 1 });
  expect(error.message).toContain(`column "open" has ${shown}, which is no plain number: ${advice}`);
  expect(error.hint).toContain("write digits with a point");
});

test("a second symbol after the first rows ends the reading with its line", async () => {
  const rows = bars(3000, HOUR, (ms, c) => ["BTC", ms, ...c].join());
  const text = lines("symbol,time,open,high,low,close,volume", ...rows, ["ETH", T + 3000 * HOUR, ...cellsOf(1)].join());
  const error = await expectError(read(text), { code: "DATA_MALFORMED", line: 3002, column: "symbol" });
  expect(error.hint).toContain("where: { symbol: ETH }");
});

test("the layout can be named, and a row out of the order of a newest-first file is an error", async () => {
  const rows = bars(5, HOUR, (ms, c) => [ms, ...c].join());
  expect((await read(lines("time,open,high,low,close,volume", ...rows), "ohlcv")).events).toHaveLength(5);
  const many = bars(3000, HOUR, (ms, c) => [ms, ...c].join()).toReversed();
  const text = lines("time,open,high,low,close,volume", ...many, `${T + HOUR / 2},${cellsOf(1).join()}`);
  await expectError(read(text), { code: "DATA_UNSORTED", line: 3002, column: "time" });
});
