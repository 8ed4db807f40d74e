import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CODE_ROOT } from "./codeHash.ts";

/**
 * `import … from "x"`, `export … from "x"`, `import "x"`, `import("x")`, `require("x")`; also in comments, which adds
 * no harm.
 */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'])((?:(?!\1)[^\\\n])+)\1/g;

/** The code of a strategy. */
export interface StrategyFiles {
  /** Absolute path of its module. */
  readonly entry: string;
  /** Texts by absolute path: the module, and every file of the user's that it imports, directly or not. */
  readonly files: ReadonlyMap<string, string>;
  /** `name@version` of the packages that these import, or a name alone for one that is not installed; sorted. */
  readonly packages: readonly string[];
}

/** Reads the code of a strategy. perplab's own code is not part of it, except the module itself. */
export function readStrategyFiles(path: string): StrategyFiles {
  const entry = resolve(path);
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    const text = readFileSync(file, "utf8");
    files.set(file, text);
    for (const [, , specifier = ""] of text.matchAll(IMPORT)) {
      const found = locate(specifier, file);
      if (found !== undefined) open.push(found);
      else if (isPackage(specifier)) packages.add(describePackage(specifier, dirname(file)));
    }
  }
  return { entry, files, packages: [...packages].sort() };
}

/**
 * SHA-256, as hex, of a strategy: its module, every file of the user's that it imports, directly or not, and the
 * versions of the packages that these import. perplab's own code is not part of it; see `hashCode`. A file that
 * the strategy reads while it runs is not part of it either.
 */
export function hashStrategy(path: string): string {
  const { entry, files, packages } = readStrategyFiles(path);
  const hash = createHash("sha256");
  const named = [...files].map(([file, text]) => [relative(dirname(entry), file).replaceAll("\\", "/"), text] as const);
  for (const [name, text] of named.sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(JSON.stringify([name, createHash("sha256").update(text).digest("hex")]));
  }
  for (const name of packages) hash.update(`${name}\n`);
  return hash.digest("hex");
}

/** The file that a specifier names; undefined for packages, for what does not exist, and for perplab's own code. */
function locate(specifier: string, from: string): string | undefined {
  const isFile = /^\.{0,2}\//.test(specifier) || specifier.startsWith("file:");
  if (!isFile) return undefined;
  const path = specifier.startsWith("file:") ? fileURLToPath(specifier) : resolve(dirname(from), specifier);
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  return path.startsWith(CODE_ROOT + sep) ? undefined : path;
}

function isPackage(specifier: string): boolean {
  return /^(@[\w.-]+\/)?[\w.-]+(\/|$)/.test(specifier) && !/^perplab(\/|$)/.test(specifier);
}

/** `name@version` of a package as Node would find it from a folder; its name alone where there is none. */
export function describePackage(specifier: string, folder: string): string {
  const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  for (let at = folder; ; at = dirname(at)) {
    const manifest = join(at, "node_modules", name, "package.json");
    if (existsSync(manifest)) {
      return `${name}@${(JSON.parse(readFileSync(manifest, "utf8")) as { version?: string }).version}`;
    }
    if (at === dirname(at)) return name;
  }
}
