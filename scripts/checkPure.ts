// Fails if a folder of src uses what it forbids: a clock, chance, inexact mathematics, the machine or async. Prints
// every such use. The rules are in purity.ts.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bansOfFolder, findImpurities } from "./purity.ts";

const root = join(import.meta.dirname, "..");
let files = 0;
let faults = 0;
for (const [folder, bans] of Object.entries(bansOfFolder)) {
  for (const file of globSync(`src/${folder}/**/*.ts`, { cwd: root }).sort()) {
    files++;
    for (const { line, column, found, reason } of findImpurities(file, readFileSync(join(root, file), "utf8"), bans)) {
      faults++;
      console.error(`${file}:${line}:${column} ${found}: ${reason}`);
    }
  }
}
console.log(`purity: ${files} files, ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
