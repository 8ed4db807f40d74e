import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");

/** The modules of the package, as a script imports them. */
export function listModules(): string[] {
  return Object.keys(readExports())
    .filter((path) => path !== "./package.json")
    .map((path) => `perplab${path.slice(1)}`);
}

function readExports(): Readonly<Record<string, { readonly default: string } | string>> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly default: string } | string>>;
  };
  return exports;
}

/**
 * Lets a strategy file, wherever it lies, import `perplab/…` and get the modules of the perplab that runs it. These are
 * the sources in a clone, the build in the package. Without this, a file outside a project with perplab installed could
 * not be loaded, and one inside might load a second copy.
 */
export function registerSelfImports(): void {
  const exports = readExports();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const entry = specifier.startsWith("perplab/") ? exports[`.${specifier.slice("perplab".length)}`] : undefined;
      if (typeof entry !== "object") return nextResolve(specifier, context);
      return nextResolve(pathToFileURL(locate(entry.default)).href, context);
    },
  });
}

/** Lets files of a folder without packages import those of the working folder, or else those of perplab. */
export function registerPackagesOf(folder: string): void {
  const from = pathToFileURL(folder).href;
  const parents = [process.cwd(), root].map((place) => pathToFileURL(join(place, "package.json")).href);
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isPackage = !/^(\.{0,2}\/|\w+:)/.test(specifier) && !specifier.startsWith("perplab/");
      if (!isPackage || context.parentURL?.startsWith(from) !== true) return nextResolve(specifier, context);
      try {
        return nextResolve(specifier, { ...context, parentURL: parents[0] });
      } catch {
        return nextResolve(specifier, { ...context, parentURL: parents[1] });
      }
    },
  });
}

/** `./dist/strategy/index.js` -> the file that runs here. */
function locate(built: string): string {
  const source = join(root, built.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts"));
  return existsSync(source) ? source : join(root, built);
}
