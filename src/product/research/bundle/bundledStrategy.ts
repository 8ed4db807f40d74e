import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { readStrategyFiles } from "../runs/strategyHash.ts";
import type { BundledCode, BundleHeader, StrategyModule } from "./bundle.ts";

/** Where the code of a strategy is. */
export interface StrategySource {
  readonly id: string;
  /** Absolute path of its module. */
  readonly path: string;
  /** Name of an example, whose code is perplab's own; undefined for a strategy of the user's. */
  readonly example: string | undefined;
}

/** The code of strategies as a bundle carries it. A file that two of them import is in it once. */
export function bundleStrategies(sources: readonly StrategySource[]): {
  readonly modules: readonly StrategyModule[];
  readonly code: BundledCode;
} {
  const own = sources.map(({ path, example }) => (example === undefined ? readStrategyFiles(path) : undefined));
  const files = new Map(own.flatMap((read) => [...(read?.files ?? [])]));
  const top = files.size === 0 ? "" : commonFolder([...files.keys()]);
  const nameOf = (file: string) => relative(top, file).replaceAll("\\", "/");
  const named = [...files].map(([file, text]) => [nameOf(file), text] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  const modules = sources.map(({ id, example }, place) => {
    const read = own[place];
    return { id, example: example ?? null, entry: read === undefined ? null : nameOf(read.entry) };
  });
  const packages = [...new Set(own.flatMap((read) => read?.packages ?? []))].sort();
  return { modules, code: { files: Object.fromEntries(named), packages } };
}

/** The innermost folder that has all of these files in it. */
function commonFolder(paths: readonly string[]): string {
  let top = dirname(paths[0]!);
  while (!paths.every((path) => path.startsWith(`${top}/`) || path.startsWith(`${top}\\`))) top = dirname(top);
  return top;
}

/** The modules of a bundle's strategies, in the order of its run. */
export function listModules(header: BundleHeader): readonly StrategyModule[] {
  return "strategies" in header ? header.strategies : [header.strategy];
}

/** The files of a bundle's strategies. */
export function codeOf(header: BundleHeader): BundledCode {
  return "strategies" in header ? header.code : header.strategy;
}

/**
 * Writes the files of a bundle's strategies into a folder.
 *
 * @returns of each strategy the path of its module, or the name of the example
 */
export async function unpackStrategies(header: BundleHeader, folder: string): Promise<readonly string[]> {
  for (const [name, text] of Object.entries(codeOf(header).files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return listModules(header).map(({ example, entry }) => example ?? join(folder, entry ?? ""));
}
