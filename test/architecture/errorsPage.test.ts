import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../helpers/project.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

/** Pages that list codes: of errors, of rejections, of problems of requests, and of streams. */
const PAGES = ["errors", "rejections", "problems", "wire"].map((name) => read(`docs/reference/${name}.md`)).join("\n");
const LISTED = new Set([...PAGES.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, code]) => code!));

/** Words after which a text is the code of an error: a constructor, a field, a constant. */
const BEFORE = "(?:Error\\w*\\(\\s*(?:EXIT\\.\\w+,\\s*)?|failure\\(\\s*|\\bcode: |\\b(?:CODE|code)\\b[^=;\\n]* = )";

/** Codes of errors that a text of the source states itself. */
function findCodes(text: string): string[] {
  const codes = text.matchAll(new RegExp(`${BEFORE}"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"`, "g"));
  return [...codes].map(([, code]) => code!);
}

test("every code of an error in the source is on a page of the reference", () => {
  const files = globSync("src/**/*.ts", { cwd: projectRoot });
  const found = files.flatMap((file) => findCodes(read(file)).map((code) => ({ file, code })));
  expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(150);
  expect(found.filter(({ code }) => !LISTED.has(code))).toEqual([]);
});

test.each([
  'throw new ClusterError("NEW_CODE", "reason")',
  'throw new CliError(EXIT.usage, "NEW_CODE", "reason")',
  'throw usageError(\n  "NEW_CODE",',
  'throw failure("NEW_CODE", "reason")',
  'return { code: "NEW_CODE", message }',
  'const CODE = "NEW_CODE";',
  'const CODE: FuzzErrorCode = "NEW_CODE";',
  'readonly code = "NEW_CODE";',
])("a code is found in %j", (text) => {
  expect(findCodes(text)).toEqual(["NEW_CODE"]);
  expect(LISTED.has("NEW_CODE")).toBe(false);
});
