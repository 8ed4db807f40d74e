import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../helpers/project.ts";

const read = (file: string) => readFileSync(join(projectRoot, file), "utf8");
const rows = read("docs/spec/security.md")
  .split("## Attacks and answers")[1]!
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) => line.split(" | ") as [what: string, then: string, tests: string]);

test("every row of the security table names tests, and each of them exists", () => {
  expect(rows.length).toBeGreaterThanOrEqual(20);
  for (const [what, , tests] of rows) {
    const named = [...tests.matchAll(/`(test\/[^`]+)` ("[^"]+")/g)].map(([, file, name]) => [file!, name!] as const);
    expect(named.length, what).toBe(tests.split("; `test/").length);
    for (const [file, name] of named) expect(read(file).includes(name), `${what}: ${file} ${name}`).toBe(true);
  }
});
