import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { listRanges, readReach, type ScriptCoverage } from "../../scripts/sourceReach.ts";
import { createFolder, runNode } from "../helpers/project.ts";

const SOURCE = `/** A comment,
 * of two lines. */
import type { Block } from "nowhere";

interface Sides {
  readonly left: number;
}

export function pick(given: Sides | undefined): number {
  if (given === undefined) {
    return 0; // never here
  }
  const list: readonly number[] = [given.left];
  return list.map((one: number) =>
    one + 1,
  )[0]!;
}

export function unused(block: Block): string {
  return String(block);
}
`;

// Method: a program that calls a module in part, as V8 sees it.
test("lines with code that did not run are found, at their places in the source, and no others", () => {
  const folder = createFolder({
    "planted.ts": SOURCE,
    "program.ts": 'import { pick } from "./planted.ts"; pick({ left: 1 });',
  });
  const taken = join(folder, "taken");
  expect(runNode(["program.ts"], { cwd: folder, env: { NODE_V8_COVERAGE: taken } })).toMatchObject({ status: 0 });
  const url = pathToFileURL(realpathSync(join(folder, "planted.ts"))).href;
  const reports = readdirSync(taken)
    .map((name) => JSON.parse(readFileSync(join(taken, name), "utf8")) as { result: ScriptCoverage[] })
    .flatMap(({ result }) => result.filter((script) => script.url === url));
  expect(readReach("planted.ts", SOURCE, reports)).toEqual({ file: "planted.ts", lines: 9, missed: [11, 20] });
  expect(readReach("planted.ts", SOURCE, []).missed).toEqual([9, 10, 11, 13, 14, 15, 16, 19, 20]);
});

test("neighbouring lines are one range", () => {
  expect(listRanges([1, 3, 4, 5, 9])).toBe("1, 3-5, 9");
  expect(listRanges([])).toBe("");
});
