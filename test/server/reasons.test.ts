import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROBLEMS } from "../../src/client/api/problem.ts";
import { DEVNET_REASONS, REASONS } from "../../src/client/api/reasons.ts";
import { LIMITS } from "../../src/server/face/limits/profiles.ts";
import { projectRoot } from "../helpers/project.ts";

const known = new Set([...Object.keys(REASONS), ...Object.keys(DEVNET_REASONS)]);

/** Reasons that the source gives to errors by name. */
function findReasons(): Set<string> {
  const found = new Set<string>();
  for (const file of globSync("src/server/face/{*,{dispatch,handlers,http,submission}/**/*}.ts", {
    cwd: projectRoot,
  })) {
    const text = readFileSync(join(projectRoot, file), "utf8");
    for (const [, name] of text.matchAll(
      /(?:reason: |(?:notFound|invalidated)\([^;"]*(?:"[^"]*", |`[^`]*`, |, ))"([A-Z_]+)"/g,
    ))
      found.add(name!);
  }
  return found;
}

test("every reason that the service gives is in the table", () => {
  const found = findReasons();
  expect(found.size).toBeGreaterThan(15);
  expect([...found].filter((name) => !known.has(name))).toEqual([]);
});

test("every allowance has the reason that its name makes", () => {
  for (const limit of Object.values(LIMITS.public)) {
    if (typeof limit === "object") expect(known).toContain(limit.name.toUpperCase().replaceAll("-", "_"));
  }
});

test("a reason's status is a status of errors, its code a code", () => {
  for (const reason of Object.values({ ...REASONS, ...DEVNET_REASONS })) {
    expect(Object.keys(PROBLEMS)).toContain(reason.code);
    if ("status" in reason) expect(reason.status).toBeGreaterThanOrEqual(400);
  }
});
