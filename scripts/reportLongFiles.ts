// Lists source and test files of more than 300 lines: each may contain two ideas. Reports them and never fails.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const LINES_MAX = 300;

const long = globSync("{src,test,bench,scripts}/**/*.ts", { cwd: root })
  .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
  .filter(({ lines }) => lines > LINES_MAX)
  .sort((a, b) => b.lines - a.lines);
for (const { file, lines } of long) console.log(`${lines} ${file}`);
console.log(`${long.length} files have more than ${LINES_MAX} lines`);
