import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { globSync } from "tinyglobby";

/**
 * Scenario files that paths and globs name, in the order of their names, each once. A folder means every `.yaml` and
 * `.json` in it, except for files in `lib` folders, which other files include.
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
  const isFolder = kind?.isDirectory() === true;
  const folder = isFolder ? pattern.replace(/\/$/, "") : "";
  const found = globSync(isFolder ? `${folder}/**/*.{yaml,yml,json}` : pattern, {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
  });
  return found
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/(?:^|\/)(?:lib|schema)\//.test(file.slice(folder.length)));
}
