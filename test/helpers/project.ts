import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The clone's top folder. */
export const projectRoot: string = join(import.meta.dirname, "..", "..");

/** What a program printed and how it ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of `runNode`. */
export interface RunOptions {
  readonly cwd?: string;
  /** Added to the environment; undefined removes. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** Where the command line keeps what was compiled: a process that loads the sources starts in half the time. */
const COMPILED = join(tmpdir(), "node-compile-cache");

/** Runs a JavaScript or TypeScript file with the Node that runs the tests. */
export function runNode(args: readonly string[], { cwd = projectRoot, env = {}, input }: RunOptions = {}): Ended {
  const { NODE_OPTIONS: _options, VITEST: _vitest, ...inherited } = process.env;
  const ended = spawnSync(process.execPath, args, {
    cwd,
    env: { NODE_COMPILE_CACHE: COMPILED, ...inherited, FORCE_COLOR: undefined, ...env },
    encoding: "utf8",
    maxBuffer: 1 << 26,
    ...(input === undefined ? {} : { input }),
  });
  return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

/** A folder of its own for one test, with these files in it, removed when the test ends. */
export function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

/** Writes files, by their path in `folder`. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
