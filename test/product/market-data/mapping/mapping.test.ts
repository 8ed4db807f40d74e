import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  EventKind,
  isDataError,
  parseMapping,
  parseSource,
  readSources,
} from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
let files = 0;

const TRADES = `
mapping: mine
header: true
time: { column: t, unit: ms }
streams:
  - kind: trades
    price: p
    size: q
`;

async function read(mapping: string, ...rows: readonly string[]) {
  files++;
  const path = folder.write(`M${files}.csv`, lines(...rows));
  const layout = folder.write(`M${files}.yaml`, mapping);
  const source = await readSources({ sources: [{ path, layout, market: "M" }] });
  return { source, events: await collect(source) };
}

const T = 1_704_067_200_000;

test("every committed mapping is valid", () => {
  const mappings = new URL("../../../../data/mappings/", import.meta.url);
  const names = readdirSync(mappings);
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) {
    const { mapping } = parseMapping(readFileSync(new URL(name, mappings), "utf8"), name);
    expect(`${mapping}.yaml`).toBe(name);
  }
});

test("the mapping in the page about data is valid", () => {
  const page = readFileSync(new URL("../../../../data/README.md", import.meta.url), "utf8");
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(page)!;
  expect(parseMapping(yaml!, "README.md")).toMatchObject({ mapping: "my_trades" });
});

const invalid: [string, string, number][] = [
  ["text that is not YAML", TRADES.replace("streams:", "streams: ["), 6],
  ["an unknown key", TRADES.replace("header: true", "header: true\ncolour: red"), 4],
  ["an unknown key in a stream", TRADES.replace("price: p", "price: p\n    prize: x"), 8],
  ["an unknown kind", TRADES.replace("kind: trades", "kind: ticks"), 6],
  ["a missing price", TRADES.replace("    price: p\n", ""), 6],
  ["an unknown time unit", TRADES.replace("unit: ms", "unit: minutes"), 4],
  ["a zone on a count of milliseconds", TRADES.replace("unit: ms", "unit: ms, zone: UTC"), 4],
  ["an ISO time without a zone", TRADES.replace("unit: ms", "unit: iso"), 4],
  ["no header and no number of columns", TRADES.replace("header: true", "header: false"), 3],
  [
    "a multiplier that is no number",
    TRADES.replace("size: q", 'size: { column: q, unit: contracts, multiplier: "x" }'),
    8,
  ],
];

test.each(invalid)("%s is refused with its line", (_, text, line) => {
  let error: unknown;
  try {
    parseMapping(text, "m.yaml");
  } catch (thrown) {
    error = thrown;
  }
  expect(isDataError(error, "MAPPING_INVALID")).toBe(true);
  expect(error).toMatchObject({ file: "m.yaml", line });
});

test("a key, a column and a layout that are nearly right are named", async () => {
  expect(() => parseMapping(TRADES.replace("header: true", "header: true\nseperator: x"), "m.yaml")).toThrow(
    "did you mean separator?",
  );
  const error = await expectError(read(TRADES.replace("price: p", "price: prise"), "t,price,q", `${T},1,1`), {
    code: "DATA_LAYOUT",
  });
  expect(error.hint).toContain("did you mean price?");
  const unit = TRADES.replace("unit: ms", "unit: sec");
  expect(() => parseMapping(unit, "m.yaml")).toThrow("must be one of s, ms, us, ns, iso, text");
  const bars = TRADES.replace("kind: trades", "kind: funding")
    .replace("price: p", "interval: 8 hours")
    .replace("size: q", "rate: { column: p, unit: bps }");
  expect(() => parseMapping(bars, "m.yaml")).toThrow("such as 30s, 1m, 4h or 1d");
  const wrong = (): unknown => parseSource("BTC:kline=a.csv");
  expect(wrong).toThrow(expect.objectContaining({ hint: expect.stringContaining("did you mean klines?") }));
});

test("a column that the file lacks is an error that names the columns there are", async () => {
  const error = await expectError(read(TRADES, "t,price,q", `${T},1,1`), { code: "DATA_LAYOUT", line: 1 });
  expect(error.message).toContain("t, price, q");
});

test("a column cannot be two things", async () => {
  await expectError(read(TRADES.replace("size: q", "size: t"), "t,p,q", `${T},1,1`), { code: "MAPPING_INVALID" });
});

test("columns are counted from 1 where there is no header", async () => {
  const mapping = `
mapping: bare
header: false
columns: 4
separator: ";"
time: { column: 2, unit: s }
streams:
  - { kind: trades, price: 4, size: 3, side: { column: 1, buy: [B], sell: [S] } }
`;
  const { events } = await read(mapping, `B;${T / 1000}.5;0.1;5`, `S;${T / 1000 + 1};0.2;6`);
  expect(events.map(({ timeMs, side, size, price }) => [timeMs - T, side, size, price])).toEqual([
    [500, 1, 10_000_000, 500_000_000],
    [1000, -1, 20_000_000, 600_000_000],
  ]);
});

test("nanoseconds and zoned ISO times become milliseconds", async () => {
  const ns = await read(TRADES.replace("unit: ms", "unit: ns"), "t,p,q", `${T}123456,1,1`);
  expect(ns.events[0]!.timeMs).toBe(T);
  const iso = await read(
    TRADES.replace("unit: ms", 'unit: iso, zone: "+08:00"'),
    "t,p,q",
    "2024-01-01 08:00:00.7519,1,1",
  );
  expect(iso.events[0]!.timeMs).toBe(T + 751);
});

test("dates of a stated form, in one column or two, become milliseconds in their zone", async () => {
  const time = async (spec: string, cell: string): Promise<number> => {
    const { events } = await read(TRADES.replace("{ column: t, unit: ms }", spec), "t,u,p,q", `${cell},1,1`);
    return events[0]!.timeMs - T;
  };
  const text = (format: string, zone = "UTC") => `{ column: t, unit: text, format: "${format}", zone: "${zone}" }`;
  expect(await time(text("DD/MM/YYYY HH:mm:ss"), "01/01/2024 00:00:01.25,x")).toBe(1250);
  expect(await time(text("MM/DD/YYYY hh:mm A"), "1/1/2024 1:30 pm,x")).toBe(13.5 * 3_600_000);
  expect(await time(text("hh-A YYYY.MM.DD"), "12-AM 2024.01.01,x")).toBe(0);
  expect(await time(text("YYYYMMDDHHmm", "+08:00"), "202401010800,x")).toBe(0);
  expect(await time(text("DD MMM YYYY HH:mm", "+08:00"), "1 January 2024 00:00 UTC,x")).toBe(0);
  const two = '{ column: t, timeColumn: u, unit: text, format: "YYYY.MM.DD HH:mm", zone: "+01:00" }';
  expect(await time(two, "2024.01.01,01:30")).toBe(1_800_000);
  for (const cell of ["31/02/2024 00:00:00", "01/13/2024 00:00:00", "01/01/2024 24:00:00", "1.1.2024 00:00:00"]) {
    await expectError(time(text("DD/MM/YYYY HH:mm:ss"), `${cell},x`), { code: "DATA_MALFORMED", column: "t" });
  }
});

test("a hint names what reads the file: the unit, exponents, the decimal comma, the order, the symbol", async () => {
  const hint = async (mapping: string, ...rows: string[]): Promise<string> =>
    (await expectError(read(mapping, "t,p,q", ...rows), { code: expect.any(String) as unknown as string })).hint!;
  expect(await hint(TRADES, `${T / 1000},1,1`)).toContain("unit: s");
  expect(await hint(TRADES, `${T}000,1,1`)).toContain("unit: us");
  expect(await hint(TRADES, "2024-01-01T00:00:00Z,1,1")).toContain("unit: iso");
  expect(await hint(TRADES.replace("unit: ms", "unit: iso, zone: UTC"), `${T},1,1`)).toContain("unit: ms");
  expect(await hint(TRADES, `${T},1,1e-05`)).toContain("exponents: true");
  expect(await hint(TRADES, `${T + 1},1,1`, `${T},1,1`)).toContain("order: newestFirst");
  const semicolons = TRADES.replace("header: true", 'header: true\nseparator: ";"');
  expect((await expectError(read(semicolons, "t;p;q", `${T};1,5;1`), { code: "DATA_MALFORMED" })).hint).toContain(
    "decimal",
  );
  expect(await hint(TRADES, `${T},1,1`, `${T / 1000},1,1`)).toContain("split the file");
});

// Trades of two symbols were read as one market.
test.each(["", "allow: [malformed]\n"])(
  "a file with several symbols is refused, whatever is allowed (%j)",
  async (allow) => {
    for (const column of ["symbol", "Instrument", "market", "product_id"]) {
      const rows = [`t,p,q,${column}`, `${T},100,1,BTC-USD`, `${T + 1},101,1,BTC-USD`, `${T + 2},3,1,ETH-USD`];
      const error = await expectError(read(`${TRADES}${allow}`, ...rows), { code: "DATA_MALFORMED", line: 4, column });
      expect(error.message).toContain('several symbols: "BTC-USD" and "ETH-USD"');
      expect(error.hint).toContain(`where: { ${column}: ETH-USD }`);
      expect((await read(`${TRADES}${allow}`, ...rows.slice(0, 3))).events).toHaveLength(2);
    }
  },
);

test("decimal commas, lines before the header, the newest row first, and one symbol of several are read as stated", async () => {
  const mapping = `
mapping: noted
header: true
separator: ";"
decimal: ","
skipLines: 2
order: newestFirst
symbol: { column: s, take: ETH }
time: { column: t, unit: ms }
streams: [{ kind: trades, price: p, size: q }]
`;
  const rows = [`ETH;${T + 2};3,5;1`, `BTC;${T + 1};100;1`, `ETH;${T + 1};2,5;1`, `ETH;${T + 1};1,5;1`];
  const { events } = await read(mapping, "# made by hand", "", "s;t;p;q", ...rows);
  expect(events.map(({ timeMs, price }) => [timeMs - T, price / 1e8])).toEqual([
    [1, 1.5],
    [1, 2.5],
    [2, 3.5],
  ]);
  // A point would be one of thousands.
  await expectError(read(mapping, "# made by hand", "", "s;t;p;q", `ETH;${T};1.234;1`), {
    code: "DATA_MALFORMED",
    line: 4,
    column: "p",
  });
  const bad = read(mapping.replace('decimal: ","', 'decimal: ","').replace('separator: ";"\n', ""), "x");
  await expectError(bad, { code: "MAPPING_INVALID" });
});

test("sizes come in base, quote, contracts, satoshi, or as one constant", async () => {
  const size = async (spec: string, text: string): Promise<number> => {
    const { events } = await read(TRADES.replace("size: q", `size: ${spec}`), "t,p,q", `${T},3,${text}`);
    return events[0]!.size;
  };
  expect(await size("q", "1.5")).toBe(150_000_000);
  expect(await size("{ column: q, unit: quote }", "10")).toBe(333_333_333); // 10 / 3, rounded down
  expect(await size('{ column: q, unit: contracts, multiplier: "0.010" }', "7")).toBe(7_000_000);
  expect(await size("{ column: q, unit: base, scale: -8 }", "99788991070")).toBe(99_788_991_070);
  expect(await size('{ constant: "5" }', "1")).toBe(500_000_000);
});

test("a fraction of a contract that 1e-8 base cannot hold is a precision error", async () => {
  const mapping = TRADES.replace("size: q", 'size: { column: q, unit: contracts, multiplier: "0.00000001" }');
  await expectError(read(mapping, "t,p,q", `${T},3,1.5`), { code: "DATA_PRECISION", column: "q" });
});

test("buyer-is-maker and exponents are read as stated", async () => {
  const mapping = TRADES.replace("size: q", "size: q\n    side: { buyerIsMaker: m }").replace(
    "header: true",
    "header: true\nexponents: true",
  );
  const { events } = await read(mapping, "t,p,q,m", `${T},3,1e-05,True`);
  expect(events[0]).toMatchObject({ side: -1, size: 1000 });
  await expectError(read(TRADES, "t,p,q", `${T},3,1e-05`), { code: "DATA_MALFORMED", column: "q" });
});

const BARS = `
mapping: bars
header: true
time: { column: t, unit: ms }
nullWhenEmpty: [w]
streams:
  - { kind: bars, label: close, interval: 1m, open: o, high: h, low: l, close: c, volume: v, openOutside: clamp }
`;

test("bars labelled with their close are at that time, and an open outside low..high is clamped and counted", async () => {
  const { events, source } = await read(
    BARS,
    "t,o,h,l,c,v,w",
    `${T},90,101,99,100,1,x`,
    `${T + 60_000},105,101,99,100,0,x`,
    `${T + 120_000},1,1,1,1,0,`,
  );
  expect(events.map(({ timeMs, open }) => [timeMs - T, open / 1e8])).toEqual([
    [0, 99],
    [60_000, 101],
  ]);
  expect(source.manifest.quality.findings.map(({ kind, count, treatment }) => [kind, count, treatment])).toEqual([
    ["badOhlc", 2, "open clamped"],
    ["nullRow", 1, "skipped"],
  ]);
  await expectError(read(BARS, "t,o,h,l,c,v,w", `${T},90,101,99,102,1,x`), { code: "DATA_BAD_OHLC" });
});

test("one row can give mark, index, funding and bar, and a running rate settles at its hours", async () => {
  const mapping = `
mapping: rows
header: true
time: { column: t, unit: ms }
streams:
  - { kind: bars, label: close, interval: 1h, open: last, high: last, low: last, close: last, volume: { constant: "2" } }
  - { kind: funding, skipEmpty: true, rate: { column: r, unit: percent }, interval: 8h, settleEvery: 8h }
  - { kind: mark, price: m, spacing: 1h }
  - { kind: index, price: i }
notes: ["noted once"]
`;
  const hour = 3_600_000;
  const { events, source } = await read(
    mapping,
    "t,last,m,i,r",
    `${T},1,2,3,0.01`,
    `${T + hour},1,2,3,0.02`,
    `${T + 8 * hour},1,2,3,`,
    `${T + 16 * hour},1,2,3,-0.03`,
  );
  const kinds = events.map(({ kind }) => kind);
  const { index, mark, funding, bar } = EventKind;
  expect(kinds).toEqual([index, mark, funding, bar, index, mark, bar, index, mark, bar, index, mark, funding, bar]);
  expect(events.filter(({ kind }) => kind === funding).map(({ rate }) => rate)).toEqual([100_000, -300_000]);
  expect(source.manifest.sources[0]).toMatchObject({ rows: 4, events: 14, notes: ["noted once"] });
  expect(source.manifest.sources[0]!.mappingSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(source.manifest.quality.findings[0]).toMatchObject({ kind: "nullRow", count: 1 });
});

test("quoted files go through csv-parse and give the same", async () => {
  const plain = await read(TRADES, "t,p,q", `${T},3,1.5`);
  const quoted = await read(TRADES, '"t","p","q"', `"${T}","3","1.5"`);
  expect(quoted.source.manifest.sources[0]!.dialect).toBe("csv");
  expect(quoted.events).toEqual(plain.events);
  await expectError(read(TRADES, '"t","p","q"', `"${T}","3,1.5`), { code: "DATA_MALFORMED", line: 2 });
  const far = Array.from({ length: 20_000 }, (_, index) => `${T + index},3,1`);
  const late = read(TRADES, '"t","p","q"', ...far, `${T + 20_000},"3"x,1`);
  await expectError(late, { code: "DATA_MALFORMED", line: 20_002, file: `M${files}.csv` });
  const bad = read(TRADES, '"t","p","q"', ...far, `${T + 20_000},x,1`);
  await expectError(bad, { code: "DATA_MALFORMED", line: 20_002, column: "p" });
});

test("rows are chosen by the texts of columns, whatever is in the others", async () => {
  const rows = [
    "t,p,q,k,v",
    `${T},1,1,a,x`,
    "bad,,,b,x",
    `${T + 1},2,1, a ,y`,
    `${T + 2},3,1,c,x`,
    `${T + 3},4,1,a,x,7`,
  ];
  const where = (text: string) => `${TRADES}where: ${text}\n`;
  const prices = async (text: string, ...more: string[]) => {
    const { events, source } = await read(where(text), ...rows.slice(0, 5), ...more);
    return [events.map(({ price }) => price / 1e8), source.manifest.sources[0]!.rows];
  };
  expect(await prices("{ k: a }")).toEqual([[1, 2], 4]);
  expect(await prices("{ k: [a, c], v: x }")).toEqual([[1, 3], 4]);
  await expectError(read(where("{ k: a }"), ...rows), { code: "DATA_MALFORMED", line: 6 });
  await expectError(read(where("{ k: z }"), ...rows), { code: "DATA_EMPTY" });
  await expectError(read(where("{ z: a }"), ...rows), { code: "DATA_LAYOUT" });
  await expectError(read(where("{ p: a }"), ...rows), { code: "MAPPING_INVALID" });
  const headless = where('{ "4": a }')
    .replace("header: true", "header: false\ncolumns: 5")
    .replace("column: t", "column: 1")
    .replace("price: p\n    size: q", "price: 2\n    size: 3");
  expect((await read(headless, ...rows.slice(1, 5))).events).toHaveLength(2);
  const quoted = await read(
    where("{ k: a }"),
    rows[0]!,
    ...rows.slice(1, 5).map((row) => row.replace(/([a-c]) ?,/, '"$1",')),
  );
  expect(quoted.source.manifest.sources[0]).toMatchObject({ dialect: "csv", rows: 4, events: 2 });
});

test("one of several symbols is taken, and what else in its rows names a symbol has to stay the same", async () => {
  const rows = [
    "t,p,q,symbol,venue",
    `${T},1,1,ETH,x`,
    `${T + 1},2,1,BTC,y`,
    `${T + 2},3,1,BTC,y`,
    `${T + 3},4,1,ETH,y`,
  ];
  const { events } = await read(`${TRADES}where: { symbol: BTC }\n`, ...rows);
  expect(events.map(({ price }) => price / 1e8)).toEqual([2, 3]);
  await expectError(read(`${TRADES}where: { venue: y }\n`, ...rows), {
    code: "DATA_MALFORMED",
    line: 5,
    column: "symbol",
  });
  // The rows that are taken begin beyond what is sampled first.
  const far = Array.from({ length: 3000 }, (_, at) => `${T + at},1,1,ETH,x`);
  const late = read(
    `${TRADES}where: { venue: y }\n`,
    rows[0]!,
    ...far,
    `${T + 3000},2,1,BTC,y`,
    `${T + 3001},2,1,ETH,y`,
  );
  await expectError(late, { code: "DATA_MALFORMED", line: 3003, column: "symbol" });
});

test("a count of another day becomes a time", async () => {
  const at = async (time: string, cell: string, name?: string): Promise<number> => {
    files++;
    const path = folder.write(name ?? `M${files}.csv`, lines("t,p,q", `${cell},1,1`));
    const layout = folder.write(`M${files}.yaml`, TRADES.replace("{ column: t, unit: ms }", time));
    const source = await readSources({ sources: [{ path, layout, market: "M" }] });
    return (await collect(source))[0]!.timeMs - T;
  };
  const since = (unit: string, date: string, zone = "UTC") =>
    `{ column: t, unit: ${unit}, since: "${date}", zone: "${zone}" }`;
  expect(await at(since("ms", "2024-01-01"), "0")).toBe(0);
  expect(await at(since("ms", "2024-01-01"), "86399999")).toBe(86_399_999);
  expect(await at(since("s", "2001-01-01T00:00:00Z"), "725760000.25")).toBe(250);
  expect(await at(since("us", "2024-01-01", "+08:00"), "1500")).toBe(1 - 8 * 3_600_000);
  expect(await at(since("ns", "2024-01-01"), "1999999")).toBe(1);
  expect(await at(since("ms", "fileName"), "5", "20240101_trade.csv")).toBe(5);
  expect(await at(since("ms", "fileName", "+01:00"), "5", "BTC-2024-01-01.csv")).toBe(5 - 3_600_000);
  await expectError(at(since("ms", "fileName"), "5", "BTC.csv"), { code: "MAPPING_INVALID" });
  for (const cell of ["", "-1", "x", "1e3", "99999999999999"]) {
    await expectError(at(since("ms", "2024-01-01"), cell), { code: "DATA_MALFORMED", column: "t" });
  }
  for (const time of [
    "{ column: t, unit: ms, since: 2024-01-01 }",
    '{ column: t, unit: ms, since: "yesterday", zone: UTC }',
    '{ column: t, unit: iso, since: "2024-01-01", zone: UTC }',
  ]) {
    expect(() => parseMapping(TRADES.replace("{ column: t, unit: ms }", time), "m.yaml"), time).toThrow(/since|zone/);
  }
});

test("plus signs, percent signs and spaces around cells are read where the mapping says so", async () => {
  const plus = `${TRADES}plusSigns: true\n`;
  expect((await read(plus, "t,p,q", ` ${T} , +1.5 ,\t+2`)).events[0]).toMatchObject({ price: 1_5000_0000, size: 2e8 });
  const error = await expectError(read(TRADES, "t,p,q", `${T},+1.5,1`), { code: "DATA_MALFORMED", column: "p" });
  expect(error.hint).toContain("plusSigns: true");
  for (const cell of ["++1", "+-1", "+", "1+"])
    await expectError(read(plus, "t,p,q", `${T},${cell},1`), { code: "DATA_MALFORMED" });
  const funding = (unit: string) =>
    TRADES.replace("kind: trades", "kind: funding")
      .replace("price: p", "interval: 8h")
      .replace("size: q", `rate: { column: p, unit: ${unit} }`);
  const rates = await read(
    funding("percent"),
    "t,p,q",
    `${T},0.0100%,1`,
    `${T + 28_800_000},-0.5 %,1`,
    `${T + 57_600_000},1,1`,
  );
  expect(rates.events.map(({ rate }) => rate)).toEqual([100_000, -5_000_000, 10_000_000]);
  for (const unit of ["fraction", "bps"]) {
    const refused = await expectError(read(funding(unit), "t,p,q", `${T},0.01%,1`), {
      code: "DATA_MALFORMED",
      column: "p",
    });
    expect(refused.hint).toContain("percent");
  }
});

test("of several rows for one bar the last is taken where the mapping says so, and the others are counted", async () => {
  const bars = (more: string) =>
    `mapping: b\nheader: true\ntime: { column: t, unit: ms }\nstreams:\n  - { kind: bars, label: open, interval: 1m, open: p, high: p, low: p, close: p, volume: q${more} }\n`;
  const rows = [
    "t,p,q",
    `${T},1,1`,
    `${T},2,1`,
    `${T},2,1`,
    `${T + 60_000},3,1`,
    `${T + 120_000},4,1`,
    `${T + 120_000},5,1`,
  ];
  const { events, source } = await read(bars(", duplicate: last"), ...rows);
  expect(events.map(({ price }) => price / 1e8)).toEqual([2, 3, 5]);
  expect(source.manifest.quality.findings.map(({ kind, count, treatment }) => [kind, count, treatment])).toEqual([
    ["duplicate", 1, "kept the last"],
    ["conflict", 2, "kept the last"],
  ]);
  await expectError(read(bars(""), ...rows), { code: "DATA_CONFLICT", line: 3 });
  await expectError(read(bars(", duplicate: first"), ...rows), { code: "MAPPING_INVALID" });
  // Of trades, books and quotes each row is a fact of its own.
  expect(() => parseMapping(TRADES.replace("size: q", "size: q\n    duplicate: last"), "m.yaml")).toThrow(
    "no such key",
  );
  const points =
    "mapping: p\nheader: true\ntime: { column: t, unit: ms }\nstreams: [{ kind: mark, price: p, duplicate: last }]\n";
  expect((await read(points, "t,p,q", `${T},1,1`, `${T},2,1`)).events.map(({ price }) => price / 1e8)).toEqual([2]);
});
