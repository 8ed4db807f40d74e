import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Random } from "../../../src/ground/math/random.ts";
import type { LookaheadReport } from "../../../src/product/research/lookahead/checkLookahead.ts";
import { renderBars } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

const random = Random.ofSeed([19]);
let price = 20_000;
const closes = Array.from({ length: 200 }, () => (price += random.below(201) - 100));
const BARS = "BTC-PERP-klines-1h.csv";

/** A strategy that knows `closes`, a map from the close time of a bar to its close, before their time. */
const knowing = (source: string) => `
import { defineStrategy, Type } from "perplab/strategy";
${source}
export default defineStrategy({
  id: "knowing",
  params: Type.Object({}),
  onBar(ctx, { closeTimeMs }) {
    const now = closes.get(closeTimeMs);
    const next = closes.get(closeTimeMs + 3_600_000);
    if (now !== undefined && next !== undefined) ctx.setPosition(next > now ? 0.1 : -0.1);
  },
});
`;

/** Closes out of the text of the source file. */
const PARSE = `text.trim().split("\\n").slice(1).map((line) => line.split(",").map(Number)).map((cells) => [cells[0] + 3_600_000, cells[4]])`;

function open(files: Readonly<Record<string, string>>) {
  const folder = createFolder({ [BARS]: renderBars(closes), ...files });
  const path = (name: string) => join(folder, name);
  // Where a check writes while it runs.
  mkdirSync(path("tmp"));
  vi.stubEnv("TMPDIR", path("tmp"));
  const leftovers = () => readdirSync(path("tmp"));
  const check = async (strategy: string, ...words: string[]) => {
    const called = await callCli(
      "backtest",
      strategy.includes(".") ? path(strategy) : strategy,
      ...(words.includes("--data") ? [] : ["--data", path(BARS)]),
      "--check-lookahead=3",
      ...words,
    );
    return called;
  };
  return { path, check, leftovers };
}

const reportOf = ({ out }: { readonly out: string }) => JSON.parse(out) as LookaheadReport;

afterEach(() => void vi.unstubAllEnvs());

describe("a planted strategy is found that reads the next close", () => {
  const cases: readonly [string, string][] = [
    [
      "from the file of its run, when it is loaded",
      `const text = readFileSync(new URL("${BARS}", import.meta.url), "utf8");`,
    ],
    [
      "in a closure",
      `const read = () => readFileSync(new URL("./${BARS}", import.meta.url).pathname, "utf8"); const text = read();`,
    ],
    ["with a promise", `const text = await readFile(new URL("${BARS}", import.meta.url), "utf8");`],
    [
      "through a stream",
      `let text = ""; for await (const part of createReadStream(new URL("${BARS}", import.meta.url), "utf8")) text += part;`,
    ],
  ];
  test.each(cases)("%s", async (_name, read) => {
    const imports = `import { createReadStream, readFileSync } from "node:fs"; import { readFile } from "node:fs/promises";`;
    const { check, path, leftovers } = open({
      "mine.ts": knowing(`${imports}\n${read}\nconst closes = new Map(${PARSE});`),
    });
    const called = await check("mine.ts", "--json");
    expect(called.exitCode).toBe(1);
    expect(JSON.parse(called.err.split("\n").at(-1)!)).toMatchObject({ error: { code: "LOOKAHEAD_FOUND" } });
    const report = reportOf(called);
    expect(report).toMatchObject({
      verdict: "looksAhead",
      reads: [{ path: path(BARS), caller: expect.stringMatching(/mine\.ts:\d+$/), role: "changed" }],
    });
    expect(report.differs!.timeMs).toBeLessThanOrEqual(report.differs!.future!.cutMs);
    expect(leftovers()).toEqual([]);
  });

  test("as one of several strategies, of which each has its verdict", async () => {
    const read = `import { readFileSync } from "node:fs"; const text = readFileSync(new URL("${BARS}", import.meta.url), "utf8");`;
    const { check, leftovers } = open({
      "mine.ts": knowing(`${read}\nconst closes = new Map(${PARSE});`),
      "p.yaml":
        "strategies:\n  peeker: { strategy: ./mine.ts, leverage: 2 }\n" +
        "  honest: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 } }\n",
    });
    const called = await check("p.yaml", "--param", "slow@honest=9", "--json");
    expect(called.exitCode).toBe(1);
    const report = reportOf(called);
    expect(report).toMatchObject({ verdict: "looksAhead", strategy: { id: "honest + peeker", params: {} } });
    const [honest, peeker] = report.strategies;
    expect(honest).toMatchObject({ name: "honest", id: "trend", params: { fast: 4, slow: 9 } });
    expect(honest!.verdict).not.toBe("looksAhead");
    expect(peeker).toMatchObject({ name: "peeker", id: "knowing", verdict: "looksAhead" });
    expect(report.differs).toEqual(peeker!.differs);
    const { error } = JSON.parse(called.err.split("\n").at(-1)!) as { error: { message: string } };
    expect(error.message).toMatch(/^peeker: it uses data before its time/);
    expect(leftovers()).toEqual([]);
  });

  test("from a copy of the file of its run", async () => {
    const read = `import { readFileSync } from "node:fs"; const text = readFileSync(new URL("copy.txt", import.meta.url), "utf8");`;
    const files = { "copy.txt": renderBars(closes), "mine.ts": knowing(`${read}\nconst closes = new Map(${PARSE});`) };
    expect(reportOf(await open(files).check("mine.ts", "--json"))).toMatchObject({
      verdict: "looksAhead",
      differs: {},
    });
  });

  test("from the tape of its run", async () => {
    const read = `
      import { EventKind, openTape } from "perplab/market-data";
      import { fileURLToPath } from "node:url";
      const tape = await openTape(fileURLToPath(new URL("bars.tape", import.meta.url)));
      const closes = new Map();
      for await (const { count, kind, timeMs, price } of tape.chunks()) {
        for (let row = 0; row < count; row++) if (kind[row] === EventKind.bar) closes.set(timeMs[row], price[row]);
      }
      await tape.close();`;
    const { check, path } = open({ "mine.ts": knowing(read) });
    expect(await callCli("import", path(BARS), "--out", path("bars.tape"))).toMatchObject({ exitCode: 0 });
    const called = await check("mine.ts", "--data", path("bars.tape"));
    expect(called.exitCode).toBe(1);
    expect(called.out).toMatch(/^knowing: it uses data before its time\n\nDecision at 2024-/);
    expect(called.out).toContain("All data up to 2024-");
    expect(called.out).toMatch(/The first change after it: bar of BTC-PERP at .*, whose close [\d.]+ became [\d.]+\./);
    expect(called.out).toContain("data of the run; it was given the changed future, too");
    expect(called.err).toContain("error LOOKAHEAD_FOUND");
  });

  test.each([
    [
      "from a file of its own",
      'import pairs from "./closes.json" with { type: "json" }; const closes = new Map(pairs);',
    ],
    [
      "from its own code",
      `const closes = new Map(${JSON.stringify(closes.map((close, at) => [Date.UTC(2024, 0, 1) + (at + 1) * 3_600_000, close]))});`,
    ],
  ])("%s, by the recorded prices that it follows", async (_name, source) => {
    const pairs = closes.map((close, at) => [Date.UTC(2024, 0, 1) + (at + 1) * 3_600_000, close]);
    const called = await open({ "closes.json": JSON.stringify(pairs), "mine.ts": knowing(source) }).check("mine.ts");
    expect(called.exitCode).toBe(1);
    expect(called.out).toMatch(/(\d+) of its \1 orders took the direction of the recorded price 1 step later/);
    expect(called.out).toContain("So it knows the recorded prices from a file or from its code.");
  });
});

describe("no false alarm", () => {
  test.each(["trend", "maker"])("on the example %s", async (name) => {
    const called = await open({}).check(
      name,
      ...(name === "trend" ? ["--param", "fast=4", "slow=8", "patience=0"] : []),
    );
    expect(called.out).toMatch(new RegExp(`^${name}: no decision depends on data that was not known yet\n`));
    expect(called.exitCode, called.err).toBe(0);
    expect(called.out).toMatch(/[1-9][\d,]* decisions; 3 equal runs, 6 with a changed future at 3 moments/);
  });

  test("on the example funding", async () => {
    const data = ["klines-1h-2024.csv.gz", "markPriceKlines-1h-2024.csv.gz", "fundingRate-2024.csv"];
    const paths = data.map((name) => join(projectRoot, "data", `BTC-PERP-${name}`));
    const words = ["--from", "2024-02-01", "--to", "2024-04-01", "--check-lookahead", "2", "--json"];
    const called = await callCli(
      "backtest",
      "funding",
      "--data",
      ...paths,
      ...words,
      "--param",
      "settlements=1",
      "enter=0.00005",
      "leave=0",
    );
    expect(reportOf(called)).toMatchObject({ verdict: "clean", runs: { changed: 4 } });
    expect(called.exitCode).toBe(0);
  });

  test("on a strategy that reads a file of settings, which is named", async () => {
    const mine = `
      import { readFileSync } from "node:fs";
      import { request } from "node:http";
      import { defineStrategy, Type } from "perplab/strategy";
      const { size } = JSON.parse(readFileSync(new URL("settings.json", import.meta.url), "utf8"));
      export default defineStrategy({
        id: "mine", params: Type.Object({}),
        onBar: (ctx, { open, close }) => ctx.setPosition(close > open ? size : -size),
      });`;
    const { check, path } = open({ "settings.json": '{"size":0.1}', "mine.ts": mine });
    const called = await check("mine.ts", "--json");
    expect(reportOf(called)).toMatchObject({
      verdict: "clean",
      reads: [{ path: path("settings.json"), role: "other" }],
      builtins: ["http"],
      keepsState: false,
    });
  });
});

describe("refused", () => {
  const refuse = async (strategy: string, words: readonly string[], files: Readonly<Record<string, string>> = {}) => {
    const { check, leftovers } = open(files);
    const { exitCode, err } = await check(strategy, ...words);
    expect(leftovers()).toEqual([]);
    return [exitCode, err.split("\n").find((line) => line.includes("error "))];
  };

  test.each(["--out", "--log", "--notes"])("with %s, which a check does not write", async (option) => {
    const [exitCode, line] = await refuse("trend", [option, "a.json"]);
    expect([exitCode, line]).toEqual([2, `error OPTION_INVALID ${option}: not written by a look-ahead check`]);
  });

  test.each(["0", "-1", "x", "1001", "1.5"])("at %s moments", async (moments) => {
    const { path } = open({});
    const called = await callCli("backtest", "trend", "--data", path(BARS), `--check-lookahead=${moments}`);
    expect(called.exitCode).toBe(2);
    expect(called.err).toContain("--check-lookahead");
  });

  test("a strategy that decides nothing: exit code 3, since nothing was proved", async () => {
    const mine = 'export default { id: "idle", params: { type: "object", properties: {} } };';
    const [exitCode, line] = await refuse("mine.mjs", [], { "mine.mjs": mine });
    expect(exitCode).toBe(3);
    expect(line).toContain("LOOKAHEAD_VACUOUS");
  });

  test("a strategy that decides by chance, or by the clock of the machine", async () => {
    const mine =
      'export default { id: "dice", params: { type: "object", properties: {} }, onBar: (ctx) => ctx.setPosition(Math.random() > 0.5 ? 0.1 : -0.1) };';
    const [exitCode, line] = await refuse("mine.mjs", [], { "mine.mjs": mine });
    expect(exitCode).toBe(1);
    expect(line).toContain("STRATEGY_UNREPEATABLE");
  });

  test("a strategy that fails, or ends its thread", async () => {
    const failing = (body: string) =>
      `export default { id: "bad", params: { type: "object", properties: {} }, onBar() { ${body} } };`;
    expect(await refuse("mine.mjs", [], { "mine.mjs": failing('throw new Error("planted");') })).toEqual([
      1,
      expect.stringMatching(/STRATEGY_FAILED .*planted/),
    ]);
    expect(await refuse("mine.mjs", [], { "mine.mjs": failing("process.exit(7);") })).toEqual([
      1,
      expect.stringMatching(/STRATEGY_BROKEN the strategy ended its thread with exit code 7/),
    ]);
  });

  test("data in a zip archive that the strategy reads, too: it could not be changed", async () => {
    const mine = `
      import { openData } from "perplab/market-data";
      import { fileURLToPath } from "node:url";
      import { defineStrategy, Type } from "perplab/strategy";
      const data = await openData([fileURLToPath(new URL("BTC-PERP-klines-1h.zip", import.meta.url))]);
      const size = data.manifest.events > 100 ? 0.1 : 0.2;
      export default defineStrategy({
        id: "mine", params: Type.Object({}),
        onBar: (ctx, { open, close }) => ctx.setPosition(close > open ? size : -size),
      });`;
    const { check, path } = open({ "mine.ts": mine });
    writeFileSync(path("BTC-PERP-klines-1h.zip"), zipSync({ [BARS]: strToU8(renderBars(closes)) }));
    const called = await check("mine.ts", "--data", path("BTC-PERP-klines-1h.zip"), "--json");
    expect([called.exitCode, reportOf(called).verdict]).toEqual([1, "unproved"]);
    expect(reportOf(called).reads).toMatchObject([{ role: "unchanged" }]);
  });
});
