import { spawnSync } from "node:child_process";
import { usageError } from "../../fail.ts";
import { tooLarge } from "../../values.ts";

/**
 * Reads a seed. It is a whole number; the hash of a commit, of which the first eight digits count; or `commit`, for the
 * commit that is checked out in the working folder.
 */
export function readSeed(text: string): number {
  if (/^(0|[1-9]\d{0,9})$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  if (/^[1-9]\d*$/.test(text) && text.length < 40) throw tooLarge("--seed", text, 2 ** 32 - 1);
  const hash = text === "commit" ? readCommit() : text;
  if (/^[0-9a-f]{40}$/.test(hash)) return Number.parseInt(hash.slice(0, 8), 16);
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is no seed`, {
    place: "--seed",
    hint: "write a whole number below 4294967296, the hash of a commit, or the word commit in a clone",
  });
}

function readCommit(): string {
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" });
  return (stdout ?? "").trim();
}
