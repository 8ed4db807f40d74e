// Checks that every relative link of every page in the package leads to a file of the package: `npm run check:package`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findDeadLinks } from "./packageLinks.ts";
import { root, runNpm } from "./runtimes.ts";

// The build adds no pages: nothing has to be built to find them.
const packed = runNpm(["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root });
const [{ files }] = JSON.parse(packed.stdout) as [{ files: readonly { readonly path: string }[] }];
const dead = findDeadLinks(
  files.map(({ path }) => path),
  (page) => readFileSync(join(root, page), "utf8"),
);
for (const { page, line, target } of dead) console.log(`${page}:${line}: ${target} is not in the package`);
console.log(dead.length === 0 ? `ok, ${files.length} files` : `${dead.length} links lead out of the package`);
process.exitCode = dead.length === 0 ? 0 : 1;
