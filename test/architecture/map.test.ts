import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../helpers/project.ts";

const WINGS = "ground|protocol|client|venue|product|server|proof|cli";

/** Paths of the source that a page names as code, and that do not exist. Names with a placeholder are left out. */
function findMissingPaths(page: string): string[] {
  const named = [...page.matchAll(new RegExp(`\`(?:src/)?((?:${WINGS})/[\\w./-]+)\``, "g"))].map(([, path]) => path!);
  return named.filter((path) => !existsSync(join(projectRoot, "src", path)));
}

test("every place that the map of the source names exists", () => {
  const page = readFileSync(join(projectRoot, "docs/architecture.md"), "utf8");
  expect(findMissingPaths(page)).toEqual([]);
});

test("a place that does not exist is found", () => {
  expect(
    findMissingPaths("`venue/engine/book`, `src/cli/main.ts`, `venue/engine/shelf`, `protocol/actions/<name>.ts`"),
  ).toEqual(["venue/engine/shelf"]);
});
