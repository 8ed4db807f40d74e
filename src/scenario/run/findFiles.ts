import { statSync } from "node:fs";
import { globSync } from "tinyglobby";

/**
 * Scenario files that paths and globs name, in the order of their names, each once. A folder stands for every `.yaml`
 * and `.json` in it, but for those in `lib` folders, which are there to be included.
 *
 * @returns the files, and the patterns that name none
 */
export function findScenarioFiles(patterns: readonly string[]): { files: string[]; empty: string[] } {
  const files = new Set<string>();
  const empty: string[] = [];
  for (const pattern of patterns) {
    const found = match(pattern.replaceAll("\\", "/"));
    if (found.length === 0) empty.push(pattern);
    for (const file of found) files.add(file);
  }
  return { files: [...files].sort((a, b) => (a < b ? -1 : 1)), empty };
}

function match(pattern: string): string[] {
  const kind = statSync(pattern, { throwIfNoEntry: false });
  if (kind?.isFile() === true) return [pattern];
  const folder = pattern.replace(/\/$/, "");
  const glob = kind?.isDirectory() === true ? `${folder}/**/*.{yaml,yml,json}` : pattern;
  return globSync(glob, { ignore: ["**/lib/**", "**/schema/**"], expandDirectories: false }).map((file) =>
    file.replaceAll("\\", "/"),
  );
}
