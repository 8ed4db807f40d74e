/** Paths that lead into an archive: `data/all.zip/BTCUSDT-1h.csv` is a member of `data/all.zip`. */
import { statSync } from "node:fs";

/** A file, and the requested member of it. */
export interface ArchivePath {
  readonly path: string;
  readonly member?: string;
}

/** The archive and the member of a path; the path itself where no part of it is an archive. */
export function splitArchivePath(path: string): ArchivePath {
  for (const { index } of path.matchAll(/\.zip[\\/]/gi)) {
    const archive = path.slice(0, index + 4);
    const member = path.slice(index + 5);
    if (member !== "" && statSync(archive, { throwIfNoEntry: false })?.isFile() === true)
      return { path: archive, member };
  }
  return { path };
}
