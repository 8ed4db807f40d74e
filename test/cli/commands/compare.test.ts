import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LogComparison } from "../../../src/product/research/compare/compareLogs.ts";
import type { ReportComparison } from "../../../src/product/research/compare/compareReports.ts";
import type { Difference } from "../../../src/product/research/compare/difference.ts";
import { encodePayload } from "../../../src/protocol/codec.ts";
import { BlockLogReader } from "../../../src/venue/simulation/log/readBlockLog.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { writeFiles } from "../../helpers/project.ts";

let folder: string;
const path = (name: string) => join(folder, name);

/** Runs by name, with the options in which each differs from `base`. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  same: [],
  latency: ["--latency", "2000"],
  fees: ["--fees", "0/0.001"],
  patient: ["--param", "patience=0.5", "fast=4", "slow=8"],
  shorter: ["--to", "2024-01-03"],
  leverage: ["--leverage", "2"],
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(waves(120)) });
  for (const [name, words] of Object.entries(RUNS)) {
    const param = words.includes("--param") ? [] : ["--param", "fast=4", "slow=8", "patience=0"];
    const files = ["--log", path(`${name}.log`), "--out", path(`${name}.json`), "--bundle", path(`${name}.bundle`)];
    const data = ["--data", path("BTC-PERP-klines-1h.csv")];
    const { exitCode, err } = await callCli("backtest", "trend", ...data, ...param, ...words, ...files);
    if (exitCode !== 0) throw new Error(err);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

async function compareLogs(a: string, b: string): Promise<LogComparison & { readonly exitCode: number }> {
  const { exitCode, out } = await callCli("compare", path(`${a}.log`), path(`${b}.log`), "--json");
  return { ...(JSON.parse(out) as LogComparison), exitCode };
}

async function compareReports(a: string, b: string): Promise<ReportComparison & { readonly exitCode: number }> {
  const { exitCode, out } = await callCli("compare", path(`${a}.json`), path(`${b}.json`), "--json");
  return { ...(JSON.parse(out) as ReportComparison), exitCode };
}

/** Blocks of a log as texts: all that is recorded of each. */
function readBlocks(name: string): string[] {
  const reader = new BlockLogReader(path(`${name}.log`));
  try {
    return [...reader].flatMap((record) => {
      if (record.kind !== "block") return [];
      const { height, timeMs, transactions } = record.block;
      const plain = transactions.map(({ action, header, payload }) => [
        action,
        header.account.address,
        header.nonce,
        header.validFrom,
        encodePayload(action, payload as never),
      ]);
      return [
        JSON.stringify([height, timeMs, plain, record.effects], (_, value) =>
          typeof value === "bigint" ? `${value}` : value,
        ),
      ];
    });
  } finally {
    reader.close();
  }
}

const find = (groups: readonly { topic: string; differences: readonly Difference[] }[], topic: string) =>
  groups.find((group) => group.topic === topic)?.differences ?? [];

describe("two block logs", () => {
  test("of equal runs are equal", async () => {
    const found = await compareLogs("base", "same");
    expect(found).toMatchObject({ equal: true, exitCode: 0, genesis: [], equalBlocks: readBlocks("base").length });
    expect((await callCli("compare", path("base.log"), path("same.log"))).out).toMatch(
      /^The logs are equal: [\d,]+ blocks\.$/,
    );
  });

  test.each(["latency", "fees", "patient", "leverage"])(
    "with another %s: the first block that differs",
    async (name) => {
      const found = await compareLogs("base", name);
      const [a, b] = [readBlocks("base"), readBlocks(name)];
      const first = a.findIndex((text, at) => text !== b[at]);
      expect(found).toMatchObject({ equal: false, exitCode: 4, equalBlocks: first, block: { height: first + 1 } });
      expect(found.block!.groups.length).toBeGreaterThan(0);
      for (const { differences } of found.block!.groups) for (const { a, b } of differences) expect(a).not.toBe(b);
    },
  );

  test("with other fees: the parameter in the genesis, the fill's fee, and the account after it", async () => {
    const { genesis, block } = await compareLogs("base", "fees");
    expect(find(genesis, "genesis").map(({ place }) => place)).toContain("markets.BTC-PERP.parameters.takerFee");
    expect(find(block!.groups, "transactions")).toEqual([]);
    expect(find(block!.groups, "events").map(({ place }) => place)).toContainEqual(
      expect.stringMatching(/^\d+ fill\.takerFee$/),
    );
    const places = find(block!.groups, "venue after the block").map(({ place }) => place);
    expect(places.some((place) => /^accounts\.0xe1ab\w+\.cross\.equity$/.test(place))).toBe(true);
  });

  test("with another latency: the transaction that is missing", async () => {
    const { block } = await compareLogs("base", "latency");
    const transactions = find(block!.groups, "transactions").concat(find(block!.groups, "block"));
    expect(transactions.length).toBeGreaterThan(0);
  });

  test("one of which is longer: the last block of both", async () => {
    const found = await compareLogs("base", "shorter");
    const [a, b] = [readBlocks("base"), readBlocks("shorter")];
    const first = a.findIndex((text, at) => text !== b[at]);
    expect(found).toMatchObject({ equal: false, exitCode: 4, equalBlocks: first });
    if (first === b.length) expect([found.block, found.heights.b]).toEqual([undefined, first]);
    const text = (await callCli("compare", path("base.log"), path("shorter.log"))).out;
    expect(text).toMatch(/B ends at block|is the first that differs/);
  });
});

describe("two reports", () => {
  test("of equal runs are equal, however long they took", async () => {
    expect(await compareReports("base", "same")).toMatchObject({ equal: true, groups: [], exitCode: 0 });
  });

  test("name the cause first: options, parameters", async () => {
    const latency = await compareReports("base", "latency");
    expect(latency.exitCode).toBe(4);
    expect(find(latency.groups, "options")).toContainEqual({ place: "latencyMs", a: "100", b: "2000" });
    expect(find(latency.groups, "data")).toEqual([]);
    const patient = await compareReports("base", "patient");
    expect(find(patient.groups, "strategy")).toEqual([{ place: "params.patience", a: "0", b: "0.5" }]);
    expect(patient.groups[0]!.topic).toBe("strategy");
    expect(find(patient.groups, "results").map(({ place }) => place)).toContain("stateRoot");
  });

  test("name the file whose rows differ, and the first fill that differs", async () => {
    const rows = readFileSync(path("BTC-PERP-klines-1h.csv"), "utf8").replaceAll(",50,", ",60,");
    const other = mkdtempSync(join(folder, "other-"));
    writeFileSync(join(other, "BTC-PERP-klines-1h.csv"), rows);
    const words = ["--param", "fast=4", "slow=8", "patience=0", "--out", path("volume.json")];
    await callCli("backtest", "trend", "--data", join(other, "BTC-PERP-klines-1h.csv"), ...words);
    const { groups } = await compareReports("base", "volume");
    expect(find(groups, "data").map(({ place }) => place)).toEqual(["1.sha256"]);
    const { groups: fees } = await compareReports("base", "fees");
    expect(find(fees, "first fill that differs").map(({ place }) => place)).toEqual(["1.fee"]);
  });
});

describe("two bundles", () => {
  const compareBundles = async (a: string, b: string, ...words: readonly string[]) => {
    const found = await callCli("compare", path(`${a}.bundle`), path(`${b}.bundle`), "--json", ...words);
    expect(found.out, found.err).not.toBe("");
    return { ...JSON.parse(found.out), exitCode: found.exitCode };
  };

  test("of equal runs are equal, and nothing of them is run", async () => {
    const blocks = readBlocks("base").length;
    const found = await compareBundles("base", "same");
    expect(found).toMatchObject({ kind: "bundles", equal: true, groups: [], equalBlocks: blocks, exitCode: 0 });
    expect(found.firstBlock).toBeUndefined();
    const { out, err } = await callCli("compare", path("base.bundle"), path("same.bundle"));
    expect(out).toMatch(/^The bundles are equal: strategy, data, options and [\d,]+ blocks\.$/);
    expect(err).not.toContain("replaying");
  });

  test.each([
    ["latency", "options", "latencyMs"],
    ["fees", "options", "fees"],
    ["patient", "parameters", "patience"],
    ["leverage", "options", "leverage"],
    ["shorter", "options", "toMs"],
  ])("with another %s name the cause, and the first block that differs", async (name, topic, place) => {
    const found = await compareBundles("base", name);
    const effects = (run: string) => readBlocks(run).map((text) => JSON.parse(text).at(-1));
    const [a, b] = [effects("base"), effects(name)];
    const first = a.findIndex((effect, at) => effect !== b[at]);
    expect(found).toMatchObject({ equal: false, exitCode: 4, equalBlocks: first, firstBlock: first + 1 });
    expect(find(found.groups, topic).map((difference) => difference.place)).toContain(place);
    expect(find(found.groups, "data")).toEqual([]);
    expect(find(found.groups, "results").map((difference) => difference.place)).toContain("head");
  });

  test("run again show what differs in the first block, as their logs do", async () => {
    const found = await compareBundles("base", "fees", "--rerun");
    const logs = await compareLogs("base", "fees");
    expect(found.exitCode).toBe(4);
    expect(found.logs.block).toEqual(logs.block);
  });

  test("with a changed result no longer match their run", async () => {
    const bytes = readFileSync(path("base.bundle"));
    const at = bytes.indexOf('"finalEquity":"') + 15;
    bytes[at] = bytes[at] === 49 ? 50 : 49;
    writeFileSync(path("forged.bundle"), bytes);
    const { exitCode, err } = await callCli("compare", path("base.bundle"), path("forged.bundle"));
    expect([exitCode, /error ([A-Z_]+)/.exec(err)?.[1]]).toEqual([1, "BUNDLE_DAMAGED"]);
  });
});

describe("a page of two runs", () => {
  const pageOf = async (a: string, b: string, ...words: readonly string[]) => {
    const { exitCode, err } = await callCli(
      "compare",
      path(a),
      path(b),
      ...words,
      "--out",
      path("c.html"),
      path("c.json"),
    );
    expect(exitCode, err).toBe(a === b ? 0 : 4);
    const page = readFileSync(path("c.html"), "utf8");
    const { charts } = JSON.parse(/<script type="application\/json" id="data">([^<]*)</.exec(page)![1]!);
    return { page, charts, document: JSON.parse(readFileSync(path("c.json"), "utf8")) };
  };

  test("of logs has the first block with its cause, both curves, and figures with their differences", async () => {
    const { page, charts, document } = await pageOf("base.log", "fees.log");
    expect(page).toMatch(/Block [\d,]+ is the first that differs/);
    expect(page).toContain("markets.BTC-PERP.parameters.takerFee");
    expect(charts).toHaveLength(1);
    expect(charts[0].lines.map(({ label }: { label: string }) => label)).toEqual(["B", "A"]);
    const rows = [...page.matchAll(/<tr class="(same|differs)"><th>Fees[\s\S]*?<\/tr>/g)];
    expect(rows.map(([, kind]) => kind)).toEqual(["differs"]);
    expect(rows[0]![0]).toMatch(/<td class="n">\+[\d,.]+<\/td><\/tr>$/);
    expect(document.comparison.block.groups.length).toBeGreaterThan(0);
    const fees = (run: { figures: { label: string; number: number }[] }) =>
      run.figures.find(({ label }) => label === "Fees")!.number;
    expect(fees(document.b)).toBeGreaterThan(fees(document.a));
    const report = JSON.parse(readFileSync(path("base.json"), "utf8"));
    expect(document.a.curve.equity.at(-1)).toBe(Number(report.summary.finalEquity));
  });

  test("of reports has their metrics", async () => {
    const { page, charts, document } = await pageOf("base.json", "patient.json");
    expect(page).toContain("params.patience");
    expect(charts[0].lines).toHaveLength(2);
    expect(document.a.figures.map(({ label }: { label: string }) => label)).toContain("Total return");
  });

  test("of bundles has curves only where both were run again, and says so", async () => {
    const plain = await pageOf("base.bundle", "leverage.bundle");
    expect(plain.charts).toEqual([]);
    expect(plain.page).toContain("A bundle has no curve. With <code>--rerun</code>");
    const again = await pageOf("base.bundle", "leverage.bundle", "--rerun");
    expect(again.charts[0].lines).toHaveLength(2);
    expect(again.page).toMatch(/blocks? before it (is|are) equal|first block of all/);
  });

  test("of a bundle with data and one that names them by hash takes --data for the second", async () => {
    const small = path("small.bundle");
    expect((await callCli("bundle", path("leverage.json"), "--out", small, "--by-hash")).exitCode).toBe(0);
    const data = ["--data", path("BTC-PERP-klines-1h.csv")];
    const { exitCode, err, out } = await callCli("compare", path("base.bundle"), small, "--rerun", ...data);
    expect(exitCode, err).toBe(4);
    expect(out).toContain("leverage");
  });

  test("of equal runs has nothing to mark", async () => {
    const { page } = await pageOf("base.log", "base.log");
    expect(page).toContain("There is none.");
    expect(page).not.toContain('<tr class="differs">');
  });
});

describe("refused", () => {
  const refuse = async (a: string, b: string, ...words: readonly string[]) => {
    const { exitCode, err } = await callCli("compare", path(a), path(b), ...words);
    return [exitCode, /error ([A-Z_]+)/.exec(err)?.[1]];
  };

  test("a log and a report", async () => expect(await refuse("base.log", "base.json")).toEqual([2, "RUNS_UNLIKE"]));

  test("a bundle and a log, a log that is to be run again, and trust in what is not run", async () => {
    expect(await refuse("base.bundle", "base.log")).toEqual([2, "RUNS_UNLIKE"]);
    expect(await refuse("base.log", "fees.log", "--rerun")).toEqual([2, "OPTION_INVALID"]);
    expect(await refuse("base.bundle", "fees.bundle", "--trust")).toEqual([2, "OPTION_INVALID"]);
    expect(await refuse("base.bundle", "fees.bundle", "--rerun", "--data", "x.csv")).toEqual([1, "BUNDLE_DATA"]);
    expect(await refuse("base.log", "fees.log", "--out", "c.pdf")).toEqual([2, "REPORT_FORMAT"]);
    expect(await refuse("base.json", "fees.json", "--out", path("fees.json"))).toEqual([2, "OUTPUT_REPEATED"]);
  });

  test("a file that does not exist, and a folder", async () => {
    expect(await refuse("base.log", "missing.log")).toEqual([2, "FILE_MISSING"]);
    expect((await refuse("base.log", "."))[0]).toBe(2);
  });

  test("a file that is neither a log nor a report", async () => {
    writeFileSync(path("bad.json"), '{"kind":"other"}');
    writeFileSync(path("bad.log"), "not a log, but long enough for a header of one");
    expect(await refuse("base.json", "bad.json")).toEqual([1, "REPORT_SCHEMA"]);
    expect(await refuse("base.log", "bad.log")).toEqual([1, "LOG_FORMAT"]);
  });

  test("a log that was cut, or changed", async () => {
    const bytes = readFileSync(path("base.log"));
    writeFileSync(path("cut.log"), bytes.subarray(0, bytes.length - 5));
    expect(await refuse("base.log", "cut.log")).toEqual([1, "LOG_CORRUPT"]);
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1]! ^= 1;
    writeFileSync(path("changed.log"), changed);
    expect(await refuse("base.log", "changed.log")).toEqual([1, "LOG_CORRUPT"]);
  });
});
