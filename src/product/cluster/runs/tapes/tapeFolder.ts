import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readTapeHash } from "../../../market-data/tape/tapeHash.ts";
import { ClusterError } from "../../queue/errors.ts";
import type { TapeFinder } from "./tapeFinder.ts";

/**
 * Finds tapes in a folder and its subfolders. The hash of a tape is at the end of its file, so a search reads 64 bytes
 * of each file. The path of a found tape is kept. Its reader checks each chunk, so a file that changes is detected.
 */
export class TapeFolder implements TapeFinder {
  readonly folder: string;
  readonly #known = new Map<string, string>();

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  async find(hash: string, name: string): Promise<string> {
    const path = await this.look(hash, name);
    if (path !== undefined) return path;
    throw new ClusterError(
      "TAPE_MISSING",
      `no tape here has the hash ${hash} (${name} on the machine of the command)`,
      {
        place: this.folder,
        hint: "copy the tape into this folder, or name the folder or address that has it with --tapes",
      },
    );
  }

  /** As `find`, but returns undefined for a missing tape. */
  async look(hash: string, name: string): Promise<string | undefined> {
    const known = this.#known.get(hash);
    if (known !== undefined && existsSync(known)) return known;
    // Files with the expected names come first.
    const likely = [`${hash}.tape`, name];
    const paths = this.#list().sort((a, b) => Number(isOneOf(b, likely)) - Number(isOneOf(a, likely)));
    for (const path of paths) {
      if ((await hashOf(path)) !== hash) continue;
      this.#known.set(hash, path);
      return path;
    }
    return undefined;
  }

  #list(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tape"))
      .sort()
      .map((file) => join(this.folder, file));
  }
}

function isOneOf(path: string, names: readonly string[]): boolean {
  return names.some((name) => path.endsWith(name));
}

/** Undefined for a file that is not a tape, or is not complete yet. */
async function hashOf(path: string): Promise<string | undefined> {
  return readTapeHash(path).catch(() => undefined);
}
