import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callCli } from "../../helpers/cli.ts";
import { projectRoot } from "../../helpers/project.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const BARS = join(projectRoot, "data/BTC-PERP-klines-1m-2024-07-19.csv.gz");
const METRICS = path("BTC-PERP-metrics-2024-07-19.csv");
const TAPE = path("day.tape");
const STRATEGY = path("oi.ts");

/** Every five minutes of the day of the bars, as documented: text times, 16 places, an empty cell. */
function metricsOf(): string {
  const rows = Array.from({ length: 288 }, (_, at) => {
    const time = new Date(Date.UTC(2024, 6, 19) + at * 300_000).toISOString().slice(0, 19).replace("T", " ");
    const interest = 80_000 + ((at * 7_919) % 997);
    return `${time},BTCUSDT,${interest}.0630000000000000,${interest * 60_000}.123456789012345,1.2,,1.4,0.9`;
  });
  const ratios = "count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio";
  const header = `create_time,symbol,sum_open_interest,sum_open_interest_value,${ratios},sum_taker_long_short_vol_ratio`;
  return [header, ...rows].join("\n");
}

beforeAll(async () => {
  writeFileSync(METRICS, metricsOf());
  writeFileSync(
    STRATEGY,
    `import { defineStrategy, Type } from "perplab/strategy";
export default defineStrategy({
  id: "oi",
  params: Type.Object({ look: Type.Integer({ default: 12, minimum: 2, description: "Values." }) }),
  onBar(ctx, { close }) {
    const values = ctx.series("sum_open_interest").recent(ctx.params.look);
    if (values.length < ctx.params.look || ctx.account.inFlight > 0) return;
    const size = (ctx.account.equity * 0.3) / close;
    ctx.setPosition(values.at(-1).value > values[0].value ? size : -size);
  },
});
`,
  );
  const { exitCode, err } = await callCli("import", BARS, METRICS, "--out", TAPE);
  expect(exitCode, err).toBe(0);
});

const json = async (...words: string[]) => {
  const { out, err, exitCode } = await callCli(...words, "--json");
  expect(exitCode, err).toBe(0);
  return JSON.parse(out);
};
const rootOf = async (...words: string[]): Promise<string> => {
  const { run } = await json("backtest", STRATEGY, ...words);
  return run.engine.stateRoot;
};

test("series are detected, and shown with the times at which they are known", async () => {
  const {
    files: [detected],
  } = await json("import", "--detect", METRICS);
  expect(detected).toMatchObject({ layout: "metrics", kinds: ["series"], market: "BTC-PERP" });
  const { out } = await callCli("tape", "info", TAPE);
  expect(out).toContain("BTC-PERP  1,440 series, 1,440 bar");
  expect(out).toMatch(/sum_open_interest_value +288 +2024-07-19 00:05:00 to 2024-07-20 00:00:00 UTC/);
  const [first, second] = await json("tape", "head", TAPE, "--kind", "series", "-n", "2");
  expect(first).toMatchObject({ series: "sum_open_interest", value: "80000.063", intervalMs: 300_000 });
  expect(second.value).toBe("4800000000.123456789012345");
});

test("a run on files, on their tape, and on a slice of it with the last known values is one run", async () => {
  const all = await rootOf("--data", BARS, METRICS);
  expect(await rootOf("--data", TAPE)).toBe(all);
  const part = ["--from", "2024-07-19T10:00", "--to", "2024-07-19T13:00"];
  await json("tape", "slice", TAPE, ...part, "--out", path("part.tape"));
  const ofPart = await rootOf("--data", TAPE, ...part);
  expect(ofPart).not.toBe(all);
  expect(await rootOf("--data", path("part.tape"))).toBe(ofPart);
  // A value that is known later is another run.
  expect(await rootOf("--data", BARS, `BTC-PERP:metrics+10m=${METRICS}`)).not.toBe(all);
});

test("a bundle has the series, and its run is made again from it alone", async () => {
  const bundle = path("oi.bundle");
  const { exitCode, err } = await callCli("backtest", STRATEGY, "--data", BARS, METRICS, "--bundle", bundle);
  expect(exitCode, err).toBe(0);
  const rerun = await callCli("rerun", bundle, "--trust");
  expect(rerun.exitCode, rerun.err).toBe(0);
  expect(rerun.out).toContain("is proved");
});

test("a sweep and a walk-forward read series as the same backtests do", async () => {
  const { cells } = await json("sweep", STRATEGY, "--data", BARS, METRICS, "-g", "look=6,12");
  const roots = cells.map(({ params, root }: { params: object; root: string }) => [params, root]);
  expect(roots).toEqual([
    [{ look: 6 }, await rootOf("--data", TAPE, "--param", "look=6")],
    [{ look: 12 }, await rootOf("--data", TAPE, "--param", "look=12")],
  ]);
  const words = ["-g", "look=6,12", "--train", "8h", "--test", "8h"];
  const walked = await callCli("walk-forward", STRATEGY, "--data", TAPE, ...words);
  expect(walked.exitCode, walked.err).toBe(0);
});

test("the check for look-ahead finds nothing in a strategy that reads series as they are known", async () => {
  const { out, err, exitCode } = await callCli("backtest", STRATEGY, "--data", TAPE, "--check-lookahead", "2");
  expect(exitCode, err).toBe(0);
  expect(out).toContain("no decision depends on data that was not known yet");
});

test.each([
  ["devnet", "--port", "0", "--data", TAPE, "--check"],
  ["compare-rules", TAPE],
])("%s has no use for series, and refuses data with them by name", async (...words) => {
  const { exitCode, err } = await callCli(...words);
  expect(exitCode).toBe(1);
  expect(err).toContain("DATA_UNUSABLE");
  expect(err).toContain("the series sum_open_interest, and nothing reads it here");
});
