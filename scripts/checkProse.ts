// Prints every word of scripts/prose.json in names, comments, messages, titles and pages, every long sentence of the
// README, the guides, the rulebook and the decisions, and every comment line that is too wide. It fails if there is
// one. With paths as arguments it checks only those. It does not replace reading.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findProse, isChecked, judgeProse, type ProseRules } from "./prose.ts";
import { findLongSentences, isMeasured, WORDS_MOST } from "./sentences.ts";
import { COLUMNS_MOST, findWideComments } from "./wideComments.ts";

const root = join(import.meta.dirname, "..");
const rules: ProseRules = JSON.parse(readFileSync(join(root, "scripts/prose.json"), "utf8"));
const under = process.argv.slice(2);
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 1e8 }).split("\n");
const isNamed = (file: string) => under.length === 0 || under.some((path) => file.startsWith(path));
const files = tracked.filter((file) => isChecked(file) && isNamed(file));
const faults = files.flatMap((file) =>
  findProse(file, readFileSync(join(root, file), "utf8"), rules).map((fault) => ({ file, ...fault })),
);
// Folders that were named are read as if nothing in them were open.
const judged = judgeProse(faults, under.length === 0 ? rules : { ...rules, open: [] });
const refused = [...judged.refused];
for (const file of tracked.filter((path) => isMeasured(path) && isNamed(path))) {
  for (const { line, words, start } of findLongSentences(readFileSync(join(root, file), "utf8")))
    refused.push(`${file}:${line} a sentence of ${words} words ("${start} …"): split it, at most ${WORDS_MOST}`);
}
for (const file of tracked.filter((path) => path.endsWith(".ts") && isNamed(path))) {
  for (const line of findWideComments(readFileSync(join(root, file), "utf8")))
    refused.push(`${file}:${line} a comment line is wider than ${COLUMNS_MOST} columns: wrap it`);
}
for (const line of refused) console.error(line);
for (const line of judged.left) console.log(`open: ${line}`);
console.log(`prose: ${files.length} files, ${refused.length} faults`);
process.exitCode = refused.length === 0 ? 0 : 1;
