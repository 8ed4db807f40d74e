import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../helpers/project.ts";
import slow from "../slow.json" with { type: "json" };

const files = slow.map(({ file }) => file);

test("every slow test exists, is listed once, in order, and with a reason", () => {
  expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
  expect(files).toEqual([...new Set(files)].sort());
  expect(slow.filter(({ reason }) => reason.length < 10)).toEqual([]);
});

test("the fast and the slow tests together are all tests, and CI runs both", () => {
  const config = readFileSync(join(projectRoot, "vitest.config.ts"), "utf8");
  expect(config).toContain('include: ["test/**/*.test.ts"], exclude: slowFiles');
  expect(config).toContain("include: slowFiles");
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["test"]).toBe("vitest run --project fast");
  expect(scripts["test:slow"]).toBe("vitest run --project slow");
  const ci = readFileSync(join(projectRoot, ".ci/run"), "utf8");
  expect(ci).toMatch(/^step npm test$/m);
  expect(ci).toMatch(/^step npm run test:slow$/m);
});
