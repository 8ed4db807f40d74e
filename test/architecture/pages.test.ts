import { readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listPages, PYTHON_PAGES, readCodeBlocks, runCodeBlock } from "../helpers/pages.ts";
import { createFolder, projectRoot } from "../helpers/project.ts";

// The blocks of a page run in one folder, one after the other: a later one may use what an earlier one wrote.
test.each(listPages())("every code block of %s runs", (page) => {
  const folder = createFolder();
  for (const name of ["data", "scenarios"]) symlinkSync(join(projectRoot, name), join(folder, name), "junction");
  const blocks = readCodeBlocks(page);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) expect(runCodeBlock(block, folder), block.place).toBeUndefined();
});

test("every page with blocks of Python is one that the test of the Python package runs", () => {
  const runner = readFileSync(join(projectRoot, "python/tests/test_guide.py"), "utf8");
  const pages = ["docs/guides/python.md", ...listPages()];
  const withPython = pages.filter((page) => readCodeBlocks(page).some(({ language }) => language === "python"));
  expect(withPython.sort()).toEqual([...PYTHON_PAGES].sort());
  for (const page of withPython) expect(runner).toContain(`GUIDES / "${basename(page)}"`);
});

describe("a planted block that does not run is found", () => {
  const runPage = (text: string) => {
    const folder = createFolder();
    return readCodeBlocks("page.md", text).map((block) => runCodeBlock(block, folder)?.stderr ?? "ran");
  };

  test("a program that throws", () => {
    expect(runPage('# Page\n\n```ts\nthrow new Error("planted");\n```\n')[0]).toContain("planted");
  });

  test("an import that perplab does not have", () => {
    expect(runPage('```ts\nimport "perplab/nothing";\n```\n')[0]).toContain("ERR_MODULE_NOT_FOUND");
  });

  test("a command that does not exist, and no other", () => {
    expect(
      runPage("```sh\nnode bin/perplab.js \\\n  --version\n```\n\n```sh\nnode bin/perplab.js backtset\n```\n"),
    ).toEqual(["ran", expect.stringContaining("unknown command 'backtset'")]);
  });

  test("a command on a file that a block before it does not name", () => {
    const mine = "```ts %\nexport default 1;\n```\n\n```sh\nnode bin/perplab.js strategies ./mine.ts\n```\n";
    expect(runPage(mine.replace(" %", " other.ts"))[1]).toContain("STRATEGY_UNKNOWN");
    expect(runPage(mine.replace("%", "mine.ts"))[1]).toContain("STRATEGY_INVALID");
  });

  test("a language that nothing runs", () => {
    expect(runPage("```python\nprint(1)\n```\n")).toEqual(['page.md:1: no way to run "python"']);
  });
});
