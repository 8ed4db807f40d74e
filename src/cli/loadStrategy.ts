import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isStrategyError, type StrategyError } from "../client/strategy/errors.ts";
import { type AnyStrategy, checkStrategy } from "../client/strategy/strategy.ts";
import { findNearest } from "../ground/collections/nearest.ts";
import { type CliError, failure, usageError } from "./fail.ts";
import { isPortfolioFile, refusePortfolio } from "./portfolioName.ts";
import { registerSelfImports } from "./selfImports.ts";

/** The examples that come with perplab: sources in a clone, the build in the package. */
const examplesFolder = join(import.meta.dirname, "../product/strategies");

/** A strategy and where it came from. */
export interface LoadedStrategy {
  readonly strategy: AnyStrategy;
  /** Absolute. */
  readonly path: string;
}

/** The names by which the examples are called, sorted. */
export function listExamples(): string[] {
  if (!existsSync(examplesFolder)) return [];
  return readdirSync(examplesFolder)
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith(".d.ts"))
    .map((file) => basename(file, extname(file)))
    .sort();
}

/**
 * Loads a strategy by the name of an example or by the path of a module that has it as its default export.
 *
 * @throws {CliError} STRATEGY_UNKNOWN or STRATEGY_EXPECTED (usage), STRATEGY_BROKEN when the module does not load,
 *   STRATEGY_INVALID when its default export is not a strategy
 */
export async function loadStrategy(nameOrPath: string): Promise<LoadedStrategy> {
  const path = locate(nameOrPath);
  registerSelfImports();
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    if (isStrategyError(error)) throw invalid(nameOrPath, error);
    throw failure("STRATEGY_BROKEN", `the module does not load: ${firstLine(error)}`, {
      place: placeIn(path, error) ?? nameOrPath,
      hint: "a strategy is a TypeScript or JavaScript module of its own; its types are stripped, not compiled",
      cause: error,
    });
  }
  if (module.default === undefined) {
    throw failure("STRATEGY_INVALID", "the module has no default export", {
      place: nameOrPath,
      hint: 'write: import { defineStrategy } from "perplab/strategy"; export default defineStrategy({ … });',
    });
  }
  try {
    return { strategy: checkStrategy(module.default), path };
  } catch (error) {
    throw isStrategyError(error) ? invalid(nameOrPath, error) : error;
  }
}

/** A fault that `defineStrategy` found, with the file in which it is. */
function invalid(nameOrPath: string, cause: StrategyError): CliError {
  return failure("STRATEGY_INVALID", cause.message, { place: nameOrPath, hint: cause.hint, cause });
}

function locate(nameOrPath: string): string {
  const examples = listExamples();
  if (examples.includes(nameOrPath)) {
    return [".ts", ".js"].map((ending) => join(examplesFolder, nameOrPath + ending)).find(existsSync) ?? "";
  }
  if (isPortfolioFile(nameOrPath)) throw refusePortfolio(nameOrPath);
  const path = resolve(nameOrPath);
  if (existsSync(path) && statSync(path).isFile()) return path;
  const isPath = /[\\/]|\.[cm]?[jt]s$/.test(nameOrPath);
  if (isPath) {
    throw usageError("STRATEGY_UNKNOWN", "there is no such strategy file", {
      place: nameOrPath,
      hint: "check the path",
    });
  }
  const nearest = findNearest(nameOrPath, examples);
  const list = `examples are ${examples.join(", ")}; a strategy of your own is given by the path of its file`;
  throw usageError("STRATEGY_UNKNOWN", `there is no strategy "${nameOrPath}"`, {
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n").find((line) => line.trim() !== "") ?? "unknown reason";
}

/** The first place of the stack inside the module itself, as `file:line:column`. */
function placeIn(path: string, error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const at = stack.indexOf(path);
  if (at < 0) return undefined;
  const [, line = "", column] = /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + path.length)) ?? [];
  return [path, line, column].filter((part) => part !== undefined && part !== "").join(":");
}
