import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The clone's top folder. */
export const root: string = join(import.meta.dirname, "..");

/** Versions for checks in addition to the clone's own: the oldest supported, the newest, and one too old. */
export const NODE_VERSIONS = { oldest: "22.18.0", newest: "26.10.0", tooOld: "20.20.2" } as const;

/** A Node that commands can be run with. */
export interface Runtime {
  readonly version: string;
  /** The folder with the executable. */
  readonly folder: string;
}

/** The result of a command. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of `run`. */
export interface RunOptions {
  readonly cwd: string;
  readonly runtime?: Runtime;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command, with `runtime` first on the path. Variables that an outer npm set do not reach it. */
export function run(command: string, args: readonly string[], { cwd, runtime, env = {} }: RunOptions): Ended {
  const inherited = Object.entries(process.env).filter(
    // The clone's own folders of executables are on the path of every npm script; the command must not find them.
    ([name]) => !/^(npm_lifecycle_|npm_package_|npm_node_execpath$|INIT_CWD$|NODE_OPTIONS$)/i.test(name),
  );
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes(join("node_modules", ".bin")) && !folder.includes("node-gyp-bin"));
  if (runtime !== undefined) path.unshift(runtime.folder);
  const ended = spawnSync(command, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), PATH: path.join(delimiter), ...env },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (ended.error !== undefined) throw ended.error;
  return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

/** Runs the npm that runs this script. */
export function runNpm(args: readonly string[], options: RunOptions): Ended {
  const npm = process.env["npm_execpath"];
  if (npm === undefined) return run("npm", args, options);
  const node = options.runtime === undefined ? process.execPath : join(options.runtime.folder, "node");
  return run(node, [npm, ...args], options);
}

/**
 * A Node of this version, from the npm package of the same name, kept in node_modules/.cache for the next time.
 *
 * @returns undefined if the registry cannot be reached; the reason is printed
 */
export function installRuntime(version: string): Runtime | undefined {
  const home = join(root, "node_modules", ".cache", "perplab", `node-${version}`);
  const folder = join(home, "node_modules", "node", "bin");
  if (!existsSync(join(folder, "node"))) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
    const { status, stderr } = runNpm(["install", "--no-audit", "--no-fund", `node@${version}`], { cwd: home });
    if (status !== 0) {
      rmSync(home, { recursive: true, force: true });
      console.log(`skipped: Node ${version} could not be installed: ${lastError(stderr)}`);
      return undefined;
    }
  }
  return { version, folder };
}

function lastError(text: string): string {
  const lines = text.split("\n").filter((line) => line.startsWith("npm error"));
  return lines[0]?.replace(/^npm error /, "") ?? "unknown reason";
}
