// Prints every word of scripts/prose.json in names, comments, messages, titles and pages, and fails if there is one.
// With paths as arguments it checks those alone. It is no substitute for reading.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findProse, isChecked, judgeProse, type ProseRules } from "./prose.ts";

const root = join(import.meta.dirname, "..");
const rules: ProseRules = JSON.parse(readFileSync(join(root, "scripts/prose.json"), "utf8"));
const under = process.argv.slice(2);
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 1e8 }).split("\n");
const files = tracked.filter(
  (file) => isChecked(file) && (under.length === 0 || under.some((path) => file.startsWith(path))),
);
const faults = files.flatMap((file) =>
  findProse(file, readFileSync(join(root, file), "utf8"), rules).map((fault) => ({ file, ...fault })),
);
// Folders that were named are read as if nothing in them were open.
const { refused, left } = judgeProse(faults, under.length === 0 ? rules : { ...rules, open: [] });
for (const line of refused) console.error(line);
for (const line of left) console.log(`open: ${line}`);
console.log(`prose: ${files.length} files, ${refused.length} faults`);
process.exitCode = refused.length === 0 ? 0 : 1;
