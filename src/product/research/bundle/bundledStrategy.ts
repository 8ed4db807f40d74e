import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { readStrategyFiles } from "../runs/strategyHash.ts";
import type { BundledStrategy } from "./bundle.ts";

/**
 * The code of a strategy as a bundle carries it.
 *
 * @param example name of an example, whose code is perplab's own; undefined for a strategy of the user's
 */
export function bundleStrategy(id: string, path: string, example: string | undefined): BundledStrategy {
  if (example !== undefined) return { id, example, entry: null, files: {}, packages: [] };
  const { entry, files, packages } = readStrategyFiles(path);
  const top = commonFolder([...files.keys()]);
  const nameOf = (file: string) => relative(top, file).replaceAll("\\", "/");
  const named = [...files].map(([file, text]) => [nameOf(file), text] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return { id, example: null, entry: nameOf(entry), files: Object.fromEntries(named), packages };
}

/** The innermost folder that has all of these files in it. */
function commonFolder(paths: readonly string[]): string {
  let top = dirname(paths[0]!);
  while (!paths.every((path) => path.startsWith(`${top}/`) || path.startsWith(`${top}\\`))) top = dirname(top);
  return top;
}

/**
 * Writes the files of a bundled strategy into a folder.
 *
 * @returns the path of its module, or the name of the example
 */
export async function unpackStrategy({ example, entry, files }: BundledStrategy, folder: string): Promise<string> {
  if (example !== null) return example;
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return join(folder, entry ?? "");
}
