import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readTapeHash } from "../../../market-data/tape/tapeHash.ts";
import { ClusterError } from "../../queue/errors.ts";
import type { TapeFinder } from "./tapeFinder.ts";

/**
 * Tapes of a folder and of the folders in it. The hash of a tape is the end of its file, so a search reads 64 bytes of
 * each. A tape that was found is remembered; what is read of it later is checked as it is read.
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
    throw new ClusterError("TAPE_MISSING", `no tape here has the hash ${hash} (${name} where the job was made)`, {
      place: this.folder,
      hint: "copy the tape into this folder, or give --tapes the folder or address that has it",
    });
  }

  /** As `find`, but undefined for a tape that is not there. */
  async look(hash: string, name: string): Promise<string | undefined> {
    const known = this.#known.get(hash);
    if (known !== undefined && existsSync(known)) return known;
    // Those that are most likely come first.
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

/** Undefined for a file that is no tape, or is being written. */
async function hashOf(path: string): Promise<string | undefined> {
  return readTapeHash(path).catch(() => undefined);
}
