import { expect, test } from "vitest";
import {
  parseSource,
  type QualityPolicy,
  readSources,
  type SourceFile,
} from "../../../../src/product/market-data/index.ts";
import { readEventRow } from "../../../../src/product/market-data/select/eventTable.ts";
import { createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const MINUTE = 60_000;
const DAY = Date.UTC(2024, 2, 5);

interface Value {
  readonly series: string | null;
  readonly value: string | null;
  /** Own time, and when it was known, ms after midnight. */
  readonly own: number;
  readonly known: number;
}

/** The values of series in files, in their order. */
async function readValues(sources: readonly SourceFile[], policy: QualityPolicy = {}) {
  const source = await readSources({ sources, ...policy });
  const { manifest } = source;
  const values: Value[] = [];
  for await (const chunk of source.chunks()) {
    for (let row = 0; row < chunk.count; row++) {
      const { series, value, time, intervalMs } = readEventRow(
        chunk,
        row,
        manifest.markets.map(({ name }) => name),
        (id) => manifest.series![id]!.name,
      );
      values.push({ series, value, own: time - intervalMs! - DAY, known: time - DAY });
    }
  }
  return { manifest, values };
}

let files = 0;
const write = (name: string, ...rows: string[]): string => {
  files++;
  return folder.write(name.replace("#", String(files)), lines(...rows));
};
const findings = ({
  quality,
}: {
  readonly quality: { readonly findings: readonly { kind: string; count: number }[] };
}) => Object.fromEntries(quality.findings.map(({ kind, count }) => [kind, count]));

const METRICS =
  "create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio," +
  "sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio";
const metric = (time: string, interest: string, value = "5000000000.5", ratios = "1.2,1.3,1.4,0.9") =>
  `2024-03-05 ${time},BTCUSDT,${interest},${value},${ratios}`;

test("Binance metrics: every value is exact, with 16 places and beyond 2^53, and known five minutes after its time", async () => {
  const row = metric("00:05:00", "80123.0630000000000000", "4563214569.1234567890120000", "1.62513800,1.1,0.5,0.88");
  const path = write("BTCUSDT-metrics-#.csv", METRICS, row);
  const { manifest, values } = await readValues([{ path }]);
  const own = 5 * MINUTE;
  const value = (series: string, text: string) => ({ series, value: text, own, known: own + 5 * MINUTE });
  expect(values).toEqual([
    value("sum_open_interest", "80123.063"),
    value("sum_open_interest_value", "4563214569.123456789012"),
    value("count_toptrader_long_short_ratio", "1.625138"),
    value("sum_toptrader_long_short_ratio", "1.1"),
    value("count_long_short_ratio", "0.5"),
    value("sum_taker_long_short_vol_ratio", "0.88"),
  ]);
  expect(manifest).toMatchObject({ version: 4, counts: { series: 6 }, markets: [{ name: "BTCUSDT" }] });
  expect(manifest.series).toHaveLength(6);
  expect(manifest.sources[0]).toMatchObject({
    layout: "metrics",
    notes: ["Values of series are known 5m after create_time."],
  });
});

test("the delay of a layout may be stated in front of the path, and the report's note says it", async () => {
  const path = write("M#.csv", METRICS, metric("00:05:00", "1"));
  for (const [delay, ms, note] of [
    ["0s", 0, "known at create_time"],
    ["30s", 30_000, "known 30s after create_time"],
    ["2h", 7_200_000, "known 2h after create_time"],
  ] as const) {
    const { manifest, values } = await readValues([parseSource(`BTC:metrics+${delay}=${path}`)]);
    expect(values[0]).toMatchObject({ own: 5 * MINUTE, known: 5 * MINUTE + ms });
    expect(manifest.sources[0]!.notes[0]).toContain(note);
  }
});

test.each([
  ["BTC:klines+5m=x.csv", "has no delay"],
  ["BTC:metrics+soon=x.csv", "is no delay"],
  ["BTC:metrics+=x.csv", "is no delay"],
  ["BTC:mine.yaml+5m=x.csv", "has no delay"],
])("a delay that means nothing is refused: %s", (text, reason) => {
  expect(() => parseSource(text)).toThrow(reason);
});

test("Binance metrics in no order are sorted and counted; an empty cell is no value", async () => {
  const path = write(
    "BTCUSDT-metrics-#.csv",
    METRICS,
    metric("00:10:00", "3", "30", ",,,"),
    metric("00:05:00", "2", "20", ",1.3,,"),
  );
  const { manifest, values } = await readValues([{ path }]);
  expect(values.map(({ series, value, own }) => [series, value, own / MINUTE])).toEqual([
    ["sum_open_interest", "2", 5],
    ["sum_open_interest_value", "20", 5],
    ["sum_toptrader_long_short_ratio", "1.3", 5],
    ["sum_open_interest", "3", 10],
    ["sum_open_interest_value", "30", 10],
  ]);
  // Two empty cells less one that has a value, and all of the other row.
  expect(findings(manifest)).toEqual({ unsorted: 1, nullRow: 7 });
});

test("Binance metrics: a missing row is a gap of its series, a row some seconds late is none", async () => {
  const rows = ["00:05:00", "00:10:01", "00:15:00", "00:25:00"].map((time) => metric(time, "1", "2", ",,,"));
  const { manifest } = await readValues([{ path: write("BTCUSDT-metrics-#.csv", METRICS, ...rows) }]);
  expect(findings(manifest)).toMatchObject({ gap: 2 });
  const { samples } = manifest.quality.findings.find(({ kind }) => kind === "gap")!;
  expect(samples[0]).toMatchObject({ line: 5, column: "sum_open_interest" });
  expect(samples[0]!.reason).toContain("1 value is missing after 2024-03-05T00:15:00.000Z");
});

test("Binance metrics of two symbols are refused", async () => {
  const path = write("m#.csv", METRICS, metric("00:05:00", "1"), metric("00:10:00", "1").replace("BTC", "ETH"));
  await expectError(readValues([{ path }]), { code: "DATA_MALFORMED", line: 3, column: "symbol" });
});

// On 2026-06-25 the archive changed the label of a row from its end to its beginning: 00:00 is in two daily files.
test("a time that two daily files of metrics have is a conflict, or a duplicate where the values are equal", async () => {
  const first = write("BTCUSDT-metrics-#.csv", METRICS, metric("00:05:00", "1"), metric("00:10:00", "2"));
  const other = write("BTCUSDT-metrics-#.csv", METRICS, metric("00:10:00", "3"), metric("00:15:00", "4"));
  const same = write("BTCUSDT-metrics-#.csv", METRICS, metric("00:10:00", "2"), metric("00:15:00", "4"));
  const read = (second: string, policy?: QualityPolicy) => readValues([{ path: first }, { path: second }], policy);
  await expectError(read(other), { code: "DATA_CONFLICT", line: 2, column: "sum_open_interest" });
  await expectError(read(same), { code: "DATA_DUPLICATE", line: 2, column: "sum_open_interest" });
  const { manifest, values } = await read(other, { allow: ["conflict", "duplicate"] });
  const interest = values.filter(({ series }) => series === "sum_open_interest");
  expect(interest.map(({ value }) => value)).toEqual(["1", "2", "4"]);
  expect(findings(manifest)).toMatchObject({ conflict: 1, duplicate: 5 });
});

test("files that are read with two delays may not show an older value after a newer one", async () => {
  const early = write("M#.csv", METRICS, metric("00:05:00", "1"), metric("00:10:00", "2"));
  const late = write("M#.csv", METRICS, metric("00:00:00", "0"));
  const sources = [parseSource(`M:metrics=${early}`), parseSource(`M:metrics+30m=${late}`)];
  const error = await expectError(readValues(sources), { code: "DATA_CONFLICT" });
  expect(error.message).toContain("a value of a later time is known already");
});

test.each([
  ["0.1234567890123456", "DATA_PRECISION", "more than 15 digits"],
  ["9000000000000001", "DATA_MALFORMED", "beyond 9e15"],
  ["-9000000000000000.000000000000001", "", ""],
  ["1e5", "DATA_MALFORMED", "exponent"],
  ["NaN5", "DATA_MALFORMED", "is not a decimal number"],
  ["0x10", "DATA_MALFORMED", "is not a decimal number"],
  ["Infinity", "DATA_MALFORMED", "is not a decimal number"],
])("a value %s is read exactly or refused, never rounded", async (text, code, reason) => {
  const path = write("BTCUSDT-metrics-#.csv", METRICS, metric("00:05:00", text));
  if (code === "") {
    expect((await readValues([{ path }])).values[0]!.value).toBe(text);
    return;
  }
  const error = await expectError(readValues([{ path }]), { code, line: 2, column: "sum_open_interest" });
  expect(error.message).toContain(reason);
});

test("digits that are allowed to be cut are cut toward zero and counted", async () => {
  const path = write("BTCUSDT-metrics-#.csv", METRICS, metric("00:05:00", "-1.0000000000000019"));
  const { manifest, values } = await readValues([{ path }], { allow: ["precision"] });
  expect(values[0]!.value).toBe("-1.000000000000001");
  expect(findings(manifest)).toEqual({ precision: 1 });
});

const DEPTH = "timestamp,percentage,depth,notional";

test("Binance bookDepth: two series for each band, with bands of two digits and of none, known within its second", async () => {
  const path = write(
    "BTCUSDT-bookDepth-#.csv",
    DEPTH,
    "2024-03-05 00:00:09,-5,9418.59300000,151931684.59680000",
    "2024-03-05 00:00:09,-0.20,1.5,100",
    "2024-03-05 00:00:09,0.20,2.5,200",
    "2024-03-05 00:00:09,5.00,3,300",
    "2024-03-05 00:00:39,-5.00,4,400",
  );
  const { manifest, values } = await readValues([{ path }]);
  expect(values.map(({ series, value, own, known }) => [series, value, own, known - own])).toEqual([
    ["depth_bid_5", "9418.593", 9_000, 1_000],
    ["notional_bid_5", "151931684.5968", 9_000, 1_000],
    ["depth_bid_0.2", "1.5", 9_000, 1_000],
    ["notional_bid_0.2", "100", 9_000, 1_000],
    ["depth_ask_0.2", "2.5", 9_000, 1_000],
    ["notional_ask_0.2", "200", 9_000, 1_000],
    ["depth_ask_5", "3", 9_000, 1_000],
    ["notional_ask_5", "300", 9_000, 1_000],
    ["depth_bid_5", "4", 39_000, 1_000],
    ["notional_bid_5", "400", 39_000, 1_000],
  ]);
  expect(findings(manifest)).toEqual({});
});

test("Binance bookDepth with another band, or with one band twice, is refused", async () => {
  const band = write("d#.csv", DEPTH, "2024-03-05 00:00:09,-7.00,1,2");
  const error = await expectError(readValues([{ path: band }]), {
    code: "DATA_MALFORMED",
    line: 2,
    column: "percentage",
  });
  expect(error.message).toContain("-5");
  const twice = write("d#.csv", DEPTH, "2024-03-05 00:00:09,1,1,2", "2024-03-05 00:00:09,1.00,3,2");
  await expectError(readValues([{ path: twice }]), { code: "DATA_CONFLICT", line: 3, column: "depth_ask_1" });
});

test("Binance bookDepth and metrics are known without a header by their path, and by no other way", async () => {
  const depth = write("BTCUSDT-bookDepth-#.csv", "2024-03-05 00:00:09,-1,1,2");
  expect((await readValues([{ path: depth }])).manifest.sources[0]!.layout).toBe("bookDepth");
  const metrics = write("BTCUSDT-metrics-#.csv", metric("00:05:00", "1"));
  expect((await readValues([{ path: metrics }])).manifest.sources[0]!.layout).toBe("metrics");
  await expectError(readValues([{ path: write("D#.csv", "2024-03-05 00:00:09,-1,1,2") }]), { code: "DATA_LAYOUT" });
});

const KLINES =
  "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
const premium = (minute: number, open: string, close = open, unit = 1) => {
  const at = DAY + minute * MINUTE;
  return `${at * unit},${open},${open},${open},${close},0,${(at + MINUTE) * unit - 1},0,12,0,0,0`;
};

test.each([
  ["with a header", [KLINES], 1],
  ["without a header", [], 1],
  ["in microseconds", [], 1000],
] as const)("Binance premium klines %s are signed series, known at the end of their kline", async (_, header, unit) => {
  const rows = [premium(0, "-0.00047529", "0.00010000", unit), premium(1, "0", "-0.00000001", unit)];
  const path = write("BTCUSDT-premiumIndexKlines-1m-#.csv", ...header, ...rows);
  const { manifest, values } = await readValues([{ path }]);
  const shown = values.filter(({ series }) => series === "premium_open" || series === "premium_close");
  expect(shown).toEqual([
    { series: "premium_open", value: "-0.00047529", own: 0, known: MINUTE },
    { series: "premium_close", value: "0.0001", own: 0, known: MINUTE },
    { series: "premium_open", value: "0", own: MINUTE, known: 2 * MINUTE },
    { series: "premium_close", value: "-0.00000001", own: MINUTE, known: 2 * MINUTE },
  ]);
  expect(manifest.sources[0]!.notes).toContain("Values of series are known at the end of their kline.");
});

test("Binance premium klines with a missing minute have a gap, and an empty price is an error", async () => {
  const gap = write("BTCUSDT-premiumIndexKlines-#.csv", premium(0, "0.1"), premium(1, "0.1"), premium(4, "0.1"));
  const { manifest } = await readValues([{ path: gap }]);
  expect(findings(manifest)).toEqual({ gap: 4 });
  expect(manifest.quality.findings[0]!.samples[0]!.reason).toContain("2 values are missing");
  const empty = write("BTCUSDT-premiumIndexKlines-#.csv", premium(0, "0.1"), premium(1, ""));
  await expectError(readValues([{ path: empty }]), { code: "DATA_MALFORMED", line: 2, column: "open" });
});

const MAPPING = (stream: string, more = "header: true") => `
mapping: mine
${more}
time: { column: t, unit: ms }
streams: [{ kind: series, ${stream} }]
`;
const mapped = (stream: string, rows: readonly string[], more?: string): SourceFile => ({
  path: write("m#.csv", ...rows),
  layout: folder.write(`m${files}.yaml`, MAPPING(stream, more)),
  market: "M",
});

test("a mapping names its series and states when they are known", async () => {
  const rows = ["t,a,b", `${DAY},-1.5,2`, `${DAY + MINUTE},,3`];
  const source = mapped("values: { oi: a, basis.now: b }, delay: 90s, skipEmpty: true, spacing: 1m", rows);
  const { manifest, values } = await readValues([source]);
  expect(values).toEqual([
    { series: "oi", value: "-1.5", own: 0, known: 90_000 },
    { series: "basis.now", value: "2", own: 0, known: 90_000 },
    { series: "basis.now", value: "3", own: MINUTE, known: 150_000 },
  ]);
  expect(findings(manifest)).toEqual({ nullRow: 1 });
  // Without skipEmpty an empty cell is an error.
  const strict = mapped("values: { oi: a, basis: b }, delay: 0s", rows);
  await expectError(readValues([strict]), { code: "DATA_MALFORMED", line: 3, column: "a" });
});

test("a mapping reads values with a decimal comma, a plus sign and an exponent exactly", async () => {
  const more = 'header: true\nseparator: ";"\ndecimal: ","\nplusSigns: true\nexponents: true';
  const source = mapped(
    "values: { oi: a }, delay: 0s",
    ["t;a", `${DAY};+1,5`, `${DAY + 1};-25e-1`, `${DAY + 2};12e3`],
    more,
  );
  expect((await readValues([source])).values.map(({ value }) => value)).toEqual(["1.5", "-2.5", "12000"]);
});

test("a mapping reads series of JSON as they are written, never as doubles", async () => {
  const source = {
    path: folder.write("j.jsonl", lines(`{"t":${DAY},"x":{"oi":12345678901234.123456789012345}}`)),
    layout: folder.write("j.yaml", MAPPING("values: { oi: x.oi }, delay: 0s", "json: { in: lines }")),
    market: "M",
  };
  expect((await readValues([source])).values[0]!.value).toBe("12345678901234.123456789012345");
});

test.each([
  ["values: { oi: a }", "delay"],
  ["values: { oi: a }, delay: soon", "must be a length"],
  ["values: { oi: a }, delay: 1m, duplicate: last", "there is no such key"],
  ["values: { 1oi: a }, delay: 1m", "1oi"],
  ["values: {}, delay: 1m", "values"],
  ["values: { oi: t }, delay: 1m", "read in two different ways"],
])("a mapping of series that says too little or too much is refused: %s", async (stream, reason) => {
  const error = await expectError(readValues([mapped(stream, ["t,a", `${DAY},1`])]), { code: "MAPPING_INVALID" });
  expect(error.message).toContain(reason);
});
