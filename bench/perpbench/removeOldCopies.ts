import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** A copy that no run has opened for this long is not in use: the longest run takes some hours. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Names of copies and of drafts; other files of the folder, such as results, stay. */
const COPY = /^(?:[0-9a-f]{16}|draft-\d+)$/;

/**
 * Removes copies of sources that no run has opened for a week. Each is some tens of megabytes, and every change of the
 * sources makes another.
 *
 * @returns names of the removed copies
 */
export function removeOldCopies(folder: string, nowMs: number): string[] {
  const old = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && COPY.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => nowMs - statSync(join(folder, name)).mtimeMs > KEPT_MS);
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
  return old.sort();
}
