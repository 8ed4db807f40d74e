import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, runNode } from "../helpers/project.ts";
import slow from "../slow.json" with { type: "json" };

const files = slow.map(({ file }) => file);

test("every slow test exists, is listed once, in order, and with a reason", () => {
  expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  expect(files).toEqual([...new Set(files)].sort());
  expect(slow.filter(({ reason }) => reason.length < 10)).toEqual([]);
});

test("the fast and the slow tests together are all tests, each once, and CI runs both", () => {
  const list = runNode(["node_modules/vitest/vitest.mjs", "list", "--filesOnly", "--json"]).stdout;
  const listed = (JSON.parse(list) as { file: string }[]).map(({ file }) => relative(projectRoot, file)).sort();
  expect(listed).toEqual(globSync("test/**/*.test.ts", { cwd: projectRoot }).sort());
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["test"]).toBe("vitest run --project fast --project mocking");
  expect(scripts["test:slow"]).toBe("vitest run --project slow");
  const ci = readFileSync(join(projectRoot, ".ci/run"), "utf8");
  expect(ci).toMatch(/^step npm test$/m);
  expect(ci).toMatch(/^step npm run test:slow$/m);
});
