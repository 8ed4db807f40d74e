/**
 * Other backtesters, each in a Python environment of its own, outside of the project. `environments/NAME.txt` pins
 * every package.
 *
 *     PERPLAB_PEERS=FOLDER    has them: FOLDER/NAME/bin/python
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const PEERS = ["backtesting", "nautilus", "lrvx", "hftbacktest"] as const;
export type Peer = (typeof PEERS)[number];

/** Versions are pinned for this Python. */
const PYTHON = process.env["PERPLAB_PYTHON"] ?? "python3.11";

/** The Python of a peer; undefined where there is none. */
export function findPython(peer: Peer): string | undefined {
  const folder = process.env["PERPLAB_PEERS"];
  if (folder === undefined) return undefined;
  const python = join(folder, peer, "bin", "python");
  return existsSync(python) ? python : undefined;
}

/** Why a peer does not run, for a line that is printed. */
export function explainMissing(peer: Peer): string {
  return `skipped: PERPLAB_PEERS names no folder with ${peer}; \`npm run validation -- --install FOLDER\` makes one`;
}

/** Makes the environments that a folder lacks. */
export function installPeers(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const peer of PEERS) {
    const place = join(folder, peer);
    if (existsSync(join(place, "bin", "python"))) continue;
    console.log(`installing ${peer}`);
    run(PYTHON, ["-m", "venv", place]);
    const pinned = join(import.meta.dirname, "environments", `${peer}.txt`);
    run(join(place, "bin", "python"), ["-m", "pip", "install", "--quiet", "--requirement", pinned]);
  }
}

/** Runs a script of `bench/peers`, whose last line is JSON. */
export function runPeer<Result>(python: string, script: string, args: readonly string[]): Result {
  const stdout = run(python, [resolve(import.meta.dirname, script), ...args]);
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Result;
}

function run(program: string, args: readonly string[]): string {
  const ended = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (ended.error !== undefined) throw ended.error;
  if (ended.status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${ended.stderr}`);
  return ended.stdout;
}
