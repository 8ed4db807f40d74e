import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compareWithSearch, readMissed, renderMissed, scoreMissed } from "../../../../bench/mutation/oracles/missed.ts";
import type { Survivor } from "../../../../bench/mutation/report.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-missed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, killed: string, survived: string) => {
  const fates = Object.fromEntries([
    ...[...killed].map((key, place) => [key, place === 0 ? "checked" : "plain"]),
    ...[...survived].map((key) => [key, "survived"]),
  ]);
  writeFileSync(join(folder, `mutation-${name}.json`), JSON.stringify({ fates }));
};
const searched = (killed: string, survived: string) => ({
  killedKeys: [...killed],
  survivors: [...survived].map((key) => ({ key }) as Survivor),
});
const isEquivalent = (key: string) => key === "f" || key === "g";

write("scenarios", "abx", "cdefg");
write("tests", "bcy", "adefg");
const missed = readMissed(folder, ["scenarios", "tests"]);

test("what every oracle has tried and none kills is missed", () => {
  expect(missed.tried).toEqual([..."abcdefg"]);
  expect(missed.keys).toEqual([..."defg"]);
  expect(readMissed(folder, ["tests"]).keys).toEqual([..."adefg"]);
  expect(() => readMissed(join(folder, "none"), ["tests"])).toThrow("--missed-by tests needs");
});

test("the search adds what it kills, and an equivalent mutant counts only if it does", () => {
  const score = scoreMissed(missed, searched("dg", "ef"), isEquivalent);
  expect(score).toEqual({ tried: 7, counted: 6, alone: [2, 2], killed: 3, missed: 3, searched: 3, found: 2 });
  const text = renderMissed(missed.oracles, score).join("\n");
  expect(text).toContain("- killed by one of them at least: 3 of 6, 50.0 %");
  expect(text).toContain("- killed by scenarios and tests and the search together: 5 of 6, 83.3 %");
});

test("a search that has not tried all of them gives a lower bound", () => {
  const score = scoreMissed(missed, searched("d", ""), isEquivalent);
  expect(score).toMatchObject({ counted: 5, missed: 2, searched: 1, found: 1 });
  expect(renderMissed(missed.oracles, score).join("\n")).toContain("together: at least 4 of 5, 80.0 %");
});

test("a search of all that they have tried is compared alone and together", () => {
  const { mutants, combinations } = compareWithSearch(missed, searched("adg", "bcef"), isEquivalent);
  expect(mutants).toBe(6);
  expect(combinations.map((one) => [one.names.join("+"), one.mutants, one.alone, one.killed])).toEqual([
    ["search", 6, [3], 3],
    ["scenarios", 6, [2], 2],
    ["tests", 6, [2], 2],
    ["search+scenarios", 6, [3, 2], 4],
    ["search+tests", 6, [3, 2], 5],
    ["scenarios+tests", 6, [2, 2], 3],
    ["search+scenarios+tests", 6, [3, 2, 2], 5],
  ]);
});
