import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../helpers/project.ts";

/** What belongs to one machine and not to the project. Spelled in pieces, so that this file does not match itself. */
const foreign: readonly (readonly [string, RegExp])[] = [
  [
    "a folder of a machine",
    new RegExp(String.raw`(?<![\w.])/(?:${["home", "root", "work", "Users", "tmp"].join("|")})/`),
  ],
  ["a drive", new RegExp(String.raw`\b[A-Z]:\\{1,2}${"Users"}`)],
  ["a package registry", new RegExp(["registry", String.raw`[\w-]+`, "(?:org|com|io|dev)"].join(String.raw`\.`))],
  ["where a package was downloaded", new RegExp(`"${"resolved"}":`)],
];

function findForeign(text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      foreign.filter(([, pattern]) => pattern.test(line)).map(([what]) => `${index + 1}: ${what}: ${line.trim()}`),
    );
}

/** The files that git has, or undefined outside a clone. */
function listTracked(): string[] | undefined {
  if (!existsSync(join(projectRoot, ".git"))) return undefined;
  const { stdout, status } = spawnSync("git", ["ls-files", "-z"], { cwd: projectRoot, encoding: "utf8" });
  return status === 0
    ? stdout.split("\0").filter((file) => existsSync(join(projectRoot, file)) && file !== "")
    : undefined;
}

describe("no tracked file names a place that only one machine has", () => {
  test("the tracked files", ({ skip }) => {
    const files = listTracked();
    if (files === undefined) return skip("not a git clone");
    expect(files.length).toBeGreaterThan(50);
    const found = files.flatMap((file) => {
      const bytes = readFileSync(join(projectRoot, file));
      return bytes.includes(0) ? [] : findForeign(bytes.toString("utf8")).map((line) => `${file}:${line}`);
    });
    expect(found).toEqual([]);
  });

  test.each([
    [`see ${"/ho"}me/ada/perplab`],
    [`cd ${"/wo"}rk/main`],
    [`const out = "${"/t"}mp/x.json";`],
    [`C:\\${"Us"}ers\\ada`],
    [`https://${"regi"}stry.npmjs.org/vitest`],
    [`"${"resol"}ved": "https://example.com/a.tgz"`],
  ])("a planted path is found: %s", (line) => {
    expect(findForeign(`first\n${line}`)).toHaveLength(1);
  });

  test.each([["src/work/home.ts"], ["../tmp/x"], ["the state root / balance"], ["https://nodejs.org"]])(
    "what looks alike is allowed: %s",
    (line) => {
      expect(findForeign(line)).toEqual([]);
    },
  );
});
