// Prints every word of scripts/prose.json in names, comments, messages, titles and pages, and fails if there is one. With
// paths as arguments it checks those alone. It is no substitute for reading.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findProse, isChecked, type ProseRules } from "./prose.ts";

const root = join(import.meta.dirname, "..");
const rules: ProseRules = JSON.parse(readFileSync(join(root, "scripts/prose.json"), "utf8"));
const under = process.argv.slice(2);
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 1e8 }).split("\n");
const files = tracked.filter(
  (file) => isChecked(file) && (under.length === 0 || under.some((path) => file.startsWith(path))),
);
let faults = 0;
for (const file of files) {
  for (const { line, found, write } of findProse(file, readFileSync(join(root, file), "utf8"), rules)) {
    faults++;
    console.error(`${file}:${line} ${found}: write ${write}`);
  }
}
console.log(`prose: ${files.length} files, ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
