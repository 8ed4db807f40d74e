import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createReport } from "../../../src/product/report/createReport.ts";
import { renderJson } from "../../../src/product/report/json.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";
import { createSampleInput } from "../../product/report/sample.ts";

const json = renderJson(createReport(createSampleInput()));

test("shows the summary", async () => {
  const folder = createFolder({ "report.json": json });
  const { exitCode, out } = await callCli("report", join(folder, "report.json"));
  expect(exitCode).toBe(0);
  expect(out).toContain("trend-following");
});

test.each([
  ["page.html", /^<!doctype html>/i],
  ["page.md", /^# /],
  ["page.json", /^\{/],
])("writes %s in the format of its ending", async (name, start) => {
  const folder = createFolder({ "report.json": json });
  const { exitCode, out } = await callCli("report", join(folder, "report.json"), "--out", join(folder, name));
  expect(exitCode).toBe(0);
  expect(out).toBe(join(folder, name));
  expect(readFileSync(join(folder, name), "utf8")).toMatch(start);
});

test("with --json prints the report as it was read", async () => {
  const folder = createFolder({ "report.json": json });
  const { out } = await callCli("report", join(folder, "report.json"), "--json");
  expect(JSON.parse(out)).toEqual(JSON.parse(json));
});

describe("bad input ends with one error and its place, and nothing is written", () => {
  test.each([
    ["a missing file", undefined, [], "FILE_MISSING", 2],
    ["no JSON", json.slice(0, 1000), [], "REPORT_MALFORMED", 1],
    ["another document", "{}", [], "REPORT_SCHEMA", 1],
    ["another version", json.replace(/"schemaVersion": ?"?\d+"?/, '"schemaVersion":999'), [], "REPORT_VERSION", 1],
    ["an unknown format", json, ["--format", "pdf"], "REPORT_FORMAT", 2],
  ] as const)("%s", async (_name, text, options, code, exitCode) => {
    const folder = createFolder(text === undefined ? {} : { "report.json": text });
    const called = await callCli("report", join(folder, "report.json"), "--out", join(folder, "x.html"), ...options);
    expect(called.err).toContain(`error ${code} `);
    expect(called.exitCode).toBe(exitCode);
    expect(readdirSync(folder)).toEqual(text === undefined ? [] : ["report.json"]);
  });
});
