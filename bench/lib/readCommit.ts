import { execFileSync } from "node:child_process";

/** Commit of a clone, with `+` if files of some paths differ from it. */
export function readCommit(root: string, paths: readonly string[]): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", ...paths);
  return `${git("rev-parse", "--short=12", "HEAD")}${changed === "" ? "" : "+"}`;
}
