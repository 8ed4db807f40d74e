import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDeadLinks } from "../../scripts/packageLinks.ts";
import { projectRoot } from "../helpers/project.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

test("a link to a file that is not in the package is found, with its page and line", () => {
  const pages: Record<string, string> = {
    "README.md":
      "# Top\n\n[a](docs/a.md), [b](docs/b.md#part), [folder](docs), [gone](docs/gone.md)\n[test](test/a.test.ts)\n",
    "docs/a.md":
      "[up](../README.md) [here](#part) [far](https://example.org/x.md) `[code](no.md)`\n\n[lost](lost.md)\n",
    "docs/b.md": "```md\n[code](no.md)\n```\n[evidence](../test/a.test.ts) [named][n]\n\n[n]: missing.md\n",
  };
  expect(findDeadLinks([...Object.keys(pages), "LICENSE"], (page) => pages[page]!)).toEqual([
    { page: "README.md", line: 3, target: "docs/gone.md" },
    { page: "README.md", line: 4, target: "test/a.test.ts" },
    { page: "docs/a.md", line: 3, target: "lost.md" },
    { page: "docs/b.md", line: 6, target: "missing.md" },
  ]);
});

// The list that npm makes of the package is checked by `npm run check:package`; this one is made of `files`.
test("the pages of the package link to nothing that is not in it", () => {
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  const paths = files
    .filter((pattern) => !pattern.startsWith("!") && pattern !== "dist")
    .flatMap((pattern) => globSync([pattern, `${pattern}/**`], { cwd: projectRoot, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(projectRoot.length + 1)
        .replaceAll("\\", "/"),
    );
  expect(findDeadLinks(["README.md", "LICENSE", "package.json", ...paths], read)).toEqual([]);
});
