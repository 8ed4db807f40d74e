import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { computeBins } from "../../../src/product/report/html/bins.ts";
import { escapeHtml, html, toScriptJson } from "../../../src/product/report/html/markup.ts";
import { computeScale, computeTimeTicks } from "../../../src/product/report/html/scale.ts";
import { script } from "../../../src/product/report/html/script.generated.ts";
import {
  type BacktestReport,
  createReport,
  formats,
  getFormat,
  type ReportError,
  type ReportInput,
  renderHtml,
  renderJson,
  renderMarkdown,
  renderTerminal,
} from "../../../src/product/report/index.ts";
import { formatFixed, formatSignedUsd, negate } from "../../../src/product/report/text/numbers.ts";
import { formatDuration, formatTime } from "../../../src/product/report/text/times.ts";
import { createSampleInput } from "./sample.ts";

const crash = createReport(createSampleInput({ crashAt: 1_700, leverage: 10 }));

/** Every text that comes from outside, replaced by something that tries to break out. */
function createHostile(hostile: string): BacktestReport {
  const input = createSampleInput({ crashAt: 1_700, leverage: 10 });
  const { recording } = input;
  const changed: ReportInput = {
    ...input,
    strategy: { id: hostile, params: { [hostile]: hostile } },
    command: hostile,
    assumptions: [hostile],
    notices: [hostile],
    stopped: { reason: "strategyFailed", height: 1, timeMs: 0, text: hostile },
    data: [
      {
        ...input.data[0]!,
        name: hostile,
        sha256: hostile,
        findings: [{ kind: hostile, line: 1, column: hostile, count: 1, sample: hostile }],
      },
    ],
    driver: { ...input.driver, markSource: hostile, impact: hostile, other: [{ name: hostile, value: hostile }] },
    engine: { ...input.engine, stateRoot: hostile, protocolVersion: hostile },
    recording: {
      ...recording,
      markets: [hostile],
      rejections: [{ code: hostile, count: 1, orders: 1, firstTimeMs: 0, lastTimeMs: 0 }],
      liquidations: recording.liquidations.map((item) => ({
        ...item,
        id: hostile,
        stages: [hostile],
        fills: item.fills.map((fill) => ({ ...fill, kind: hostile })),
      })),
      insurance: recording.insurance.map((item) => ({ ...item, cause: hostile })),
    },
  };
  return createReport(changed);
}

describe("the HTML page", () => {
  const page = renderHtml(crash);

  test("needs nothing from outside", () => {
    expect(withoutScript(page)).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|<link|<img|<iframe|\bsrc=|\bhref=(?!"#)/i);
    expect(script).not.toMatch(/https?:|\bfetch\b|XMLHttpRequest|WebSocket|\bimport\b|\beval\b|\.src\b|sendBeacon/);
  });

  test("lets only its own script run", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!.replaceAll("&#39;", "'");
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]!);
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts[0]!).digest("base64");
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    expect(() => new Function(scripts[0]!)).not.toThrow();
  });

  test.each([
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `</script><script>alert(1)</script>`,
    `' onmouseover='alert(1)`,
    `<!--<script>`,
    `</style><b>`,
    `\${alert(1)}`,
    `]]>&lt;b&gt;`,
  ])("keeps hostile text as text: %s", (hostile) => {
    const shown = renderHtml(createHostile(hostile));
    const structure = (text: string) => [...text.matchAll(/<\/?[a-zA-Z!][^\s>]*/g)].map((match) => match[0]);
    // The same report with a harmless text of the same places has exactly the same tags.
    expect(structure(shown)).toEqual(structure(renderHtml(createHostile("x"))));
    expect(shown).toContain(escapeHtml(hostile));
    expect(JSON.parse(/<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(shown)![1]!)).toBeTypeOf(
      "object",
    );
  });

  test("shows no character that turns text around or hides it", () => {
    expect(renderHtml(createHostile("a\u202eb\u0000c\u2066"))).not.toMatch(/[\u202a-\u202e\u2066-\u2069\0]/);
  });

  test("stays light with four thousand points in every curve and thousands of fills", () => {
    const report = createReport(createSampleInput({ hours: 24 * 365 * 4, leverage: 1, seed: 5 }));
    expect(report.account.timeMs.length).toBeGreaterThan(1_500);
    const wide = stretch(report, 4_000);
    expect(wide.account.timeMs.length).toBe(4_000);
    expect(renderHtml(wide).length).toBeLessThan(1_500_000);
  });

  test("draws no curve outside its chart and no value that is not a number", () => {
    expect(withoutScript(page)).not.toMatch(/NaN|Infinity|undefined|\[object/);
    let points = 0;
    for (const [, height, drawn] of page.matchAll(/<svg viewBox="0 0 1000 (\d+)"[^>]*>([\s\S]*?)<\/svg>/g)) {
      for (const [, path] of drawn!.matchAll(/<path class="line[^"]*" d="([^"]*)"/g)) {
        for (const [, x, y] of path!.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)) {
          points++;
          expect(Number(x)).toBeGreaterThanOrEqual(0);
          expect(Number(x)).toBeLessThanOrEqual(1_000);
          expect(Number(y)).toBeGreaterThanOrEqual(0);
          expect(Number(y)).toBeLessThanOrEqual(Number(height));
        }
      }
    }
    expect(points).toBeGreaterThan(1_000);
  });

  test("is whole for a run of one block without data, fills or prices", () => {
    const empty = createReport({ ...createSampleInput({ hours: 1 }), data: [], assumptions: [] });
    for (const format of Object.values(formats)) {
      expect(withoutScript(format.render(empty))).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

test("a liquidation is explained with its numbers, and the first is open", () => {
  const text = renderHtml(crash).replace(/<[^>]*>/g, " ");
  expect(text).toMatch(/Its equity was\s+−?[\d,.]+ USD\s*, [\d,.]+ USD too little/);
  expect(text).toMatch(/needed\s+[\d,.]+ USD\s+of maintenance margin, 1\.00 % of that value/);
  expect(renderHtml(crash).match(/<details class="liq" open>/g)).toHaveLength(1);
});

test("a liquidation of the smallest sizes shows how much was closed", () => {
  const report = structuredClone(crash);
  const item = report.liquidations.kept[0]!;
  const fills = item.fills.map((fill) => ({ ...fill, size: "0.00001", value: "0.08" }));
  report.liquidations.kept = [{ ...item, size: "0.00001", fills: fills.slice(0, 1) }];
  expect(renderHtml(report)).toContain("The venue closed <b>0.00001</b>");
});

test("a run whose equity never moved has no distribution of returns", () => {
  const report = createReport(createSampleInput({ hours: 480 }));
  expect(renderHtml(report)).toContain('<div class="histogram"');
  report.daily = report.daily.map((day) => ({ ...day, equity: "10000" }));
  expect(renderHtml(report)).not.toContain('<div class="histogram"');
});

test("no amount of a page has a hyphen for its minus", () => {
  const report = structuredClone(crash);
  report.attribution.transfers = "-250";
  const page = renderHtml(report);
  expect(page).toContain("Transfers of \u2212250.00 USD");
  // The JSON of the script keeps the hyphen, as do parameters and commands.
  const text = withoutScript(page)
    .replace(/<(style|code|script)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]*>/g, " ");
  expect(text.match(/\s-\d[\d,]*\.\d+/g)).toBeNull();
});

test("a market that was never traded is folded, without the charts of a position", () => {
  const report = structuredClone(crash);
  const [market] = report.markets;
  report.markets.push({ ...market!, market: "ETH-PERP" });
  report.attribution.markets.push({ ...report.attribution.markets[0]!, market: "ETH-PERP", tradedValue: "0" });
  const page = renderHtml(report);
  expect(page).toContain("<summary>ETH-PERP: never traded</summary>");
  expect(page).toContain("<h3>ETH-PERP price");
  expect(page).not.toContain("<h3>ETH-PERP position");
});

test("a hundred thousand round trips leave a page of two thousand and a note", () => {
  const report = structuredClone(crash);
  const trip = report.roundTrips.kept[0]!;
  report.roundTrips.total = 100_000;
  report.roundTrips.kept = Array.from({ length: 5_000 }, (_, i) => ({ ...trip, entryMs: trip.entryMs + i }));
  const page = renderHtml(report);
  expect(page.length).toBeLessThan(1_500_000);
  expect(page).toContain("this page keeps 1,667 of 100,000");
});

const withoutScript = (page: string) => page.replace(/<script>[\s\S]*?<\/script>/, "");

/** Repeats points until every curve has `rows`. */
function stretch(report: BacktestReport, rows: number): BacktestReport {
  const copy = structuredClone(report);
  for (const series of [copy.account, ...copy.markets]) {
    for (const [name, column] of Object.entries(series)) {
      if (!Array.isArray(column)) continue;
      Object.assign(series, {
        [name]: Array.from({ length: rows }, (_, i) => column[Math.floor((i * column.length) / rows)]),
      });
    }
  }
  return copy;
}

describe("every format", () => {
  test("reports the liquidation, its prices, the root and the command", () => {
    const first = crash.liquidations.kept[0]!;
    for (const text of [renderHtml(crash), renderMarkdown(crash), renderJson(crash)]) {
      expect(text).toContain(first.id);
      expect(text).toContain(crash.run.engine.stateRoot);
      expect(text).toContain(crash.run.command);
      expect(text).toMatch(/8,158\.54|8158\.54/);
    }
    expect(renderTerminal(crash)).toContain("Liquidated once, on 2020-03-12 00:00 UTC");
    expect(renderTerminal(crash)).toContain("mark: recorded");
  });

  test("shows a residual as an error", () => {
    const broken = structuredClone(crash);
    broken.attribution.residual = "0.000001";
    for (const text of [renderHtml(broken), renderMarkdown(broken), renderTerminal(broken)]) {
      expect(text).toContain("residual of 0.000001 USD");
    }
    expect(renderHtml(crash)).not.toContain("residual of");
  });

  test("is found by name, and another name is an error that lists them", () => {
    expect(getFormat("markdown")).toBe(formats.markdown);
    expect(() => getFormat("toString")).toThrowError(
      expect.objectContaining({ code: "REPORT_FORMAT" }) as unknown as ReportError,
    );
  });
});

test("Markdown keeps hostile text in its cell", () => {
  const text = renderMarkdown(createHostile("a|b`c\n# d <b>"));
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  for (const row of rows) expect(row.replaceAll("\\|", "")).toMatch(/^\|.*\|$/);
  expect(text).not.toMatch(/^# d/m);
  const outsideCode = text.replaceAll("\\`", "").replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
  expect(outsideCode).not.toMatch(/(?<!\\)<b/);
  const piped = "cat a | perplab `x`";
  expect(renderMarkdown(createReport({ ...createSampleInput({ hours: 48 }), command: piped }))).toContain(
    `\`\`\`sh\n${piped}\n\`\`\``,
  );
});

describe("figures of the strategy's own", () => {
  const own = (name: string, ...values: number[]) => ({
    name,
    count: values.length,
    last: values.at(-1)!,
    least: Math.min(...values),
    greatest: Math.max(...values),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    timeMs: Float64Array.from(values, (_, at) => at),
    values: Float64Array.from(values),
  });
  const input = createSampleInput({ hours: 48 });
  const reportOf = (...ownMetrics: ReturnType<typeof own>[]) => createReport({ ...input, ownMetrics } as never);

  test("are a table in Markdown and in the terminal: how many values, last, least, greatest and mean", () => {
    const report = reportOf(own("distance", 0.25, -3, 1234567.891), own("trips", 1, 2, 4));
    const text = renderMarkdown(report);
    expect(text).toContain("## Figures of the strategy");
    expect(text).toContain("| distance | 3 | 1234570 | -3 | 1234570 | 411522 |");
    expect(text).toContain("| trips | 3 | 4 | 1 | 4 | 2.33333 |");
    const rows = renderTerminal(report).split("\n");
    const at = rows.indexOf("Figures of the strategy");
    expect(rows[at + 1]!.trim().split(/ {2,}/)).toEqual(["Figure", "Values", "Last", "Least", "Greatest", "Mean"]);
    expect(rows[at + 3]!.trim().split(/ {2,}/)).toEqual(["trips", "3", "4", "1", "4", "2.33333"]);
  });

  test("keep a hostile name in its cell, and are left out where there are none", () => {
    const hostile = reportOf(own("a|b\n# c\u001b[2J", 1));
    expect(renderMarkdown(hostile)).toContain("| a\\|b \\# c \\[2J | 1 | 1 | 1 | 1 | 1 |");
    expect(renderTerminal(hostile)).not.toMatch(/[\p{Cc}--\n]/v);
    expect(renderMarkdown(reportOf())).not.toContain("Figures of the strategy");
    expect(renderTerminal(reportOf())).not.toContain("Figures of the strategy");
  });
});

test("the terminal is coloured only when asked, and no text can control it", () => {
  const control = String.fromCharCode(27);
  expect(renderTerminal(crash)).not.toContain(control);
  expect(renderTerminal(crash, { colors: true })).toContain(control);
  expect(renderTerminal(createHostile(`${control}[2J\r\u0007`))).not.toMatch(/[\p{Cc}--\n]/v);
});

test("a template escapes what enters it, and only markup passes", () => {
  expect(html`<p title="${'"'}">${"<b>"}${html`<i>`}${[1, "&"]}${null}${false}</p>`.text).toBe(
    '<p title="&quot;">&lt;b&gt;<i>1&amp;</p>',
  );
  expect(toScriptJson("</script><!--\u2028").text).toBe('"\\u003c/script\\u003e\\u003c!--\\u2028"');
});

test("scales hold their values and have round, distinct labels", () => {
  for (const [low, high] of [
    [0, 1],
    [-3.2, 17.9],
    [9_999.5, 10_000.25],
    [0.000012, 0.000019],
    [5, 5],
    [0, 0],
    [-1e9, -2e5],
  ] as const) {
    const scale = computeScale(low, high, 5);
    expect(scale.low).toBeLessThanOrEqual(low);
    expect(scale.high).toBeGreaterThanOrEqual(high);
    expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
    expect(new Set(scale.ticks.map((tick) => tick.toFixed(scale.digits))).size).toBe(scale.ticks.length);
  }
});

test("time labels are round, in range and never more than asked for", () => {
  const start = Date.UTC(2020, 1, 28, 13, 7);
  for (const span of [50, 60_000, 3_600_000, 86_400_000, 10 * 86_400_000, 500 * 86_400_000, 4_000 * 86_400_000]) {
    const ticks = computeTimeTicks(start, start + span, 10);
    expect(ticks.length).toBeLessThanOrEqual(11);
    for (const { timeMs } of ticks) expect(timeMs >= start && timeMs <= start + span).toBe(true);
  }
  const days = computeTimeTicks(Date.UTC(2020, 1, 28), Date.UTC(2020, 2, 2), 10).map(({ label }) => label);
  expect(days).toEqual(["28 Feb", "12:00", "29 Feb", "12:00", "1 Mar", "12:00", "2 Mar"]);
  expect(computeTimeTicks(Date.UTC(2019, 10, 5), Date.UTC(2020, 3, 5), 10).map(({ label }) => label)).toEqual([
    "Dec 2019",
    "2020",
    "Feb",
    "Mar",
    "Apr",
  ]);
});

test("bins of a running sum lose nothing", () => {
  const times = [5, 3_600_000, 3_600_001, 9_000_000, 40_000_000];
  const sums = [-1, 4, 3, 10, -20];
  const { bins } = computeBins(times, sums, 0, 40_000_000, 20);
  expect(bins.reduce((sum, bin) => sum + bin.value, 0)).toBe(-20);
  expect(bins[0]!.value).toBe(4);
});

test("numbers and times have their usual written form", () => {
  expect(formatFixed("1234.565", 2)).toBe("1,234.57");
  expect(formatFixed("-0.004", 2)).toBe("0.00");
  expect(formatFixed("-0.005", 2)).toBe("-0.01");
  expect(formatFixed("999999.999", 2)).toBe("1,000,000.00");
  expect(formatFixed("12", 0)).toBe("12");
  expect(formatSignedUsd("0.5")).toBe("+0.50");
  expect(formatSignedUsd("0.001")).toBe("0.00");
  expect([negate("0"), negate("-1.5"), negate("2")]).toEqual(["0", "1.5", "-2"]);
  expect([0, 999, 12_500, 3_599_999, 11_100_000, 8_546_400_000].map(formatDuration)).toEqual([
    "0 ms",
    "999 ms",
    "12.5 s",
    "1 h",
    "3 h 5 min",
    "98 d 22 h",
  ]);
  expect(formatDuration(-11_100_000)).toBe("-3 h 5 min");
  expect(formatTime(Date.UTC(2020, 2, 12, 10, 45))).toBe("2020-03-12 10:45");
  expect(formatTime(Date.UTC(2020, 2, 12, 10, 45, 1, 7))).toBe("2020-03-12 10:45:01.007");
});

// A chart's legend rounded a binary fraction, and a tile the decimal text: one figure in two ways.
describe("one figure reads the same wherever a page shows it", () => {
  const input = createSampleInput();
  const { recording } = input;

  test("money that lies between two cents", () => {
    const finalEquity = 10_000_005_000; // 10,000.005 USD
    const equity = Float64Array.from(recording.account.equity).fill(finalEquity);
    const statistics = { ...recording.statistics, finalEquity };
    const account = { ...recording.account, equity };
    const page = renderHtml(createReport({ ...input, recording: { ...recording, statistics, account } }));
    expect(page).toContain("to 10,000.01 USD");
    expect(page).toMatch(/Strategy <output data-line="1">10,000\.01<\/output>/);
  });

  test("a drawdown that lies between two hundredths of a percent", () => {
    // 14.7150499 %; the fraction rounded to six digits first shows 14.71 %.
    const peak = 100_000_000_000;
    const trough = 85_284_950_100;
    const equity = Float64Array.from(recording.account.equity).fill(trough);
    const peaks = Float64Array.from(recording.account.peak).fill(peak);
    const maxDrawdown = { peak, trough, peakTimeMs: 0, troughTimeMs: 1, recoveredTimeMs: null };
    const statistics = { ...recording.statistics, maxDrawdown };
    const account = { ...recording.account, equity, peak: peaks };
    const page = renderHtml(createReport({ ...input, recording: { ...recording, statistics, account } }));
    expect(page).toMatch(/Max drawdown<span [^>]*>[^<]*<\/span><\/span><\/dt><dd class="value ">14\.72 %/);
    expect(page).toMatch(/Strategy <output data-line="0">−14\.72 %<\/output>/);
  });
});
