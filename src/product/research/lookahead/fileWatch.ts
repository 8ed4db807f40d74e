import fs from "node:fs";
import { builtinModules, registerHooks, syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A file that the strategy opened to read, other than its code. */
export interface FileRead {
  /** Real path, or the path as given where there is no such file. */
  readonly path: string;
  /** Where the call was: `file:line`, as far as it is known. */
  readonly caller: string | undefined;
}

/** The findings of a watch, complete when the run has ended. */
export interface FileWatch {
  readonly reads: readonly FileRead[];
  readonly builtins: readonly string[];
}

/** Functions of `node:fs` whose first argument is a path that they open or examine. */
const OPENERS = ["readFile", "readFileSync", "open", "openSync", "createReadStream", "openAsBlob", "ReadStream"];
const ASKERS = ["stat", "statSync", "lstat", "lstatSync", "access", "accessSync", "existsSync"];
const PROMISED_OPENERS = ["readFile", "open"];
const PROMISED_ASKERS = ["stat", "lstat", "access"];

/** Files of code: files that the module system reads are not data. */
const CODE = /\.[cm]?[jt]s$|\.node$|[\\/]package\.json$/;
/** Modules of Node through which a strategy could read data unseen by this watch. */
const OUTSIDE = [
  "child_process",
  "worker_threads",
  "cluster",
  "http",
  "https",
  "http2",
  "net",
  "dgram",
  "sqlite",
  "vm",
];

/**
 * Watches the files that are read through `node:fs` in this thread from now on, and gives the strategy other files in
 * place of some. A thread has its own `node:fs`, so that nothing else is affected.
 *
 * @param redirects other files by real path
 * @param own       folders whose files are not the strategy's: perplab itself, and the data of the run
 */
export function watchFiles(redirects: Readonly<Record<string, string>>, own: readonly string[]): FileWatch {
  const reads = new Map<string, FileRead>();
  const builtins = new Set<string>();
  const see = (path: string, caller: string | undefined) => {
    if (CODE.test(path) || own.some((folder) => path.startsWith(folder)) || reads.has(path)) return;
    reads.set(path, { path, caller });
  };
  const wrap = (module: Record<string, unknown>, names: readonly string[], isOpened: boolean) => {
    for (const name of names) {
      const original = module[name] as ((...args: unknown[]) => unknown) | undefined;
      if (typeof original !== "function") continue;
      const replacement = function (this: unknown, ...args: unknown[]) {
        const path = pathOf(args[0]);
        if (path === undefined) return Reflect.apply(original, this, args);
        const real = realOf(path);
        if (isOpened && isReading(args[1])) see(real, callerOf(new Error("opened here").stack ?? "", own));
        const other = redirects[real];
        return Reflect.apply(original, this, other === undefined ? args : [other, ...args.slice(1)]);
      };
      module[name] = Object.assign(replacement, original);
    }
  };
  const { realpathSync } = fs;
  const realOf = (path: string) => {
    try {
      return realpathSync.native(path);
    } catch {
      return resolve(path);
    }
  };
  const promises = fs.promises as unknown as Record<string, unknown>;
  const plain = fs as unknown as Record<string, unknown>;
  wrap(plain, OPENERS, true);
  wrap(plain, ASKERS, false);
  wrap(promises, PROMISED_OPENERS, true);
  wrap(promises, PROMISED_ASKERS, false);
  syncBuiltinESMExports();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const name = specifier.replace(/^node:/, "");
      const isOwn = context.parentURL?.startsWith("file:") !== true || isInside(context.parentURL, own);
      if (!isOwn && builtinModules.includes(name) && OUTSIDE.includes(name.split("/")[0]!)) builtins.add(name);
      return nextResolve(specifier, context);
    },
    load(url, context, nextLoad) {
      // Data as a module: `import closes from "./closes.json" with { type: "json" }`.
      if (url.startsWith("file:") && /\.json(\?|$)/.test(url) && !isInside(url, own)) {
        const path = realOf(fileURLToPath(url));
        see(path, undefined);
        const other = redirects[path];
        if (other !== undefined) {
          return { format: "json", shortCircuit: true, source: fs.readFileSync(other, "utf8") };
        }
      }
      return nextLoad(url, context);
    },
  });
  return {
    get reads() {
      return [...reads.values()];
    },
    get builtins() {
      return [...builtins].sort();
    },
  };
}

function isInside(url: string, folders: readonly string[]): boolean {
  const path = fileURLToPath(url);
  return folders.some((folder) => path.startsWith(folder)) || /[\\/]node_modules[\\/]/.test(path);
}

function pathOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof URL && value.protocol === "file:") return fileURLToPath(value);
  return Buffer.isBuffer(value) ? value.toString() : undefined;
}

/** Whether the second argument of a call opens for reading: flags, options with flags, or neither. */
function isReading(options: unknown): boolean {
  const flags = typeof options === "object" && options !== null ? (options as { flags?: unknown; flag?: unknown }) : {};
  const text = typeof options === "string" ? options : (flags.flags ?? flags.flag);
  return typeof text !== "string" || !/^[wa]x?$/.test(text);
}

/** The innermost place of a stack that is in a file, and in no folder of perplab. */
function callerOf(stack: string, own: readonly string[]): string | undefined {
  for (const line of stack.split("\n").slice(1)) {
    const [, path, at] = /(?:file:\/\/|\()?(\/[^\s()]+?|[A-Za-z]:\\[^\s()]+?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (path === undefined || path.includes("node_modules") || own.some((folder) => path.startsWith(folder))) continue;
    return `${decodeURI(path)}:${at}`;
  }
  return undefined;
}
