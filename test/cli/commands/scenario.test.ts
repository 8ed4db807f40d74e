import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";
import { HEAD } from "../../product/scenario/helpers.ts";

const GOOD = `# What holds.\n${HEAD}rules: [ORD-1]\nblocks:\n  - transactions:\n      - alice: noop\n    expect: { insurance: "0" }\n`;
const BAD = GOOD.replace('insurance: "0"', 'insurance: "1"');

test("run ends with 0 when everything is as expected, 1 when something differs, 2 when there is no file", async () => {
  const folder = createFolder({ "good.yaml": GOOD, "bad.yaml": BAD });
  expect(await callCli("scenario", "run", join(folder, "good.yaml"))).toMatchObject({ exitCode: 0, err: "" });
  const failed = await callCli("scenario", "run", folder, "--workers", "2");
  expect(failed).toMatchObject({ exitCode: 1, err: expect.stringContaining("SCENARIO_FAILED") });
  expect(failed.out).toContain("1 passed, 1 failed");
  expect(await callCli("scenario", "run", join(folder, "gone"))).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("SCENARIO_MISSING"),
  });
  expect((await callCli("scenario", "run", folder, "--shard", "3/2")).exitCode).toBe(2);
});

test("run prints one JSON value with --json, writes a report with --out, and runs a shard", async () => {
  const folder = createFolder({ "a.yaml": GOOD, "b.yaml": GOOD, "c.yaml": GOOD });
  const json = JSON.parse((await callCli("scenario", "run", folder, "--json")).out);
  expect(json.totals).toMatchObject({ files: 3, passed: 3 });
  const page = join(folder, "out", "page.html");
  expect((await callCli("scenario", "run", folder, "--reporter", "html", "--out", page)).exitCode).toBe(0);
  expect(readFileSync(page, "utf8")).toMatch(/^<!doctype html>/);
  // The ending chooses the format, unless a reporter is named.
  const reports = createFolder();
  for (const [file, begin, ...words] of [
    ["by-ending.html", /^<!doctype html>/],
    ["by-ending.json", /^\{/],
    ["by-ending.xml", /^<\?xml/],
    ["named.html", /^\{/, "--reporter", "json"],
  ] as const) {
    // A scenario may be JSON, so the reports lie in another folder.
    const path = join(reports, file);
    expect((await callCli("scenario", "run", folder, "--out", path, ...words)).exitCode).toBe(0);
    expect(readFileSync(path, "utf8").trimStart(), file).toMatch(begin);
  }
  expect((await callCli("scenario", "run", folder, "--shard", "2/2")).out).toContain("1 file,");
});

test("--update writes the root that was found, and only that", async () => {
  const text = GOOD.replace("blocks:", `golden: { root: "0x${"0".repeat(64)}" } # kept\nblocks:`);
  const folder = createFolder({ "a.yaml": text });
  const file = join(folder, "a.yaml");
  expect((await callCli("scenario", "run", file)).exitCode).toBe(1);
  expect((await callCli("scenario", "run", file, "--update")).exitCode).toBe(0);
  expect((await callCli("scenario", "run", file)).exitCode).toBe(0);
  expect(readFileSync(file, "utf8").replace(/0x[0-9a-f]{64}/, `0x${"0".repeat(64)}`)).toBe(text);
});

test("a different golden root is reported with the first key that differs from the stored state", async () => {
  const text = GOOD.replace("blocks:", `golden: { root: "0x${"0".repeat(64)}" }\nblocks:`);
  const folder = createFolder({ "a.yaml": text });
  const file = join(folder, "a.yaml");
  await callCli("scenario", "run", file, "--update");
  const state = join(folder, "a.state");
  const kept = readFileSync(state, "utf8");
  expect(JSON.parse(kept)).toMatchObject({ accounts: expect.anything(), insurance: "0" });
  writeFileSync(file, readFileSync(file, "utf8").replace(/0x[0-9a-f]{64}/, `0x${"1".repeat(64)}`));
  writeFileSync(state, kept.replace('"insurance": "0"', '"insurance": "7"'));
  const { exitCode, out } = await callCli("scenario", "run", file);
  expect(exitCode).toBe(1);
  expect(out).toContain('the first difference is insurance: "7" and "0"');
  writeFileSync(state, kept);
  expect((await callCli("scenario", "run", file)).out).not.toContain("first difference");
});

test("lint reports weak spots, fmt formats, and explain describes each block", async () => {
  const folder = createFolder({ "good.yaml": GOOD, "bare.yaml": `${HEAD}blocks: []\n` });
  const lint = await callCli("scenario", "lint", folder);
  expect(lint).toMatchObject({ exitCode: 1, out: expect.stringContaining("no sentence; describe in a first comment") });
  expect((await callCli("scenario", "fmt", folder, "--check")).exitCode).toBe(1);
  expect((await callCli("scenario", "fmt", folder)).exitCode).toBe(0);
  expect((await callCli("scenario", "fmt", folder, "--check")).exitCode).toBe(0);
  const explained = await callCli("scenario", "explain", join(folder, "good.yaml"));
  expect(explained).toMatchObject({ exitCode: 0, out: expect.stringContaining("alice: noop -> applied") });
});

test("new writes a scenario that passes and without lint findings, and never over a file", async () => {
  const file = join(createFolder(), "my-first.yaml");
  expect((await callCli("scenario", "new", file)).exitCode).toBe(0);
  expect((await callCli("scenario", "run", file)).exitCode).toBe(0);
  expect((await callCli("scenario", "lint", file)).exitCode).toBe(0);
  expect((await callCli("scenario", "fmt", file, "--check")).exitCode).toBe(0);
  expect(await callCli("scenario", "new", file)).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("SCENARIO_EXISTS"),
  });
});
