import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { nameFile } from "./nameFile.ts";

/** Temporary name of a file that this process writes. */
export function nameDraft(path: string): string {
  return `${path}.${process.pid}.part`;
}

/** A file that grows under a temporary name in its final folder, and gets its own name when it is complete. */
export class DraftFile {
  readonly path: string;
  /** The temporary name. */
  readonly draft: string;
  #handle: number | undefined;

  /** @throws the system's error where the file cannot be made */
  constructor(path: string) {
    this.path = path;
    this.draft = nameDraft(path);
    this.#handle = openSync(this.draft, "w");
  }

  /**
   * Writes at the end.
   *
   * @throws the system's error, for example ENOSPC, with the final path in `path`
   */
  append(data: string | Uint8Array): void {
    try {
      writeFileSync(this.#handle!, data);
    } catch (error) {
      throw nameFile(error, this.path);
    }
  }

  /** Ends appending. The draft is complete, and keeps its temporary name until `publish`. */
  close(): void {
    if (this.#handle === undefined) return;
    closeSync(this.#handle);
    this.#handle = undefined;
  }

  /** Gives a closed draft its name; an old file of that name is replaced. */
  publish(): void {
    renameSync(this.draft, this.path);
  }

  /** Removes the draft. An old file of that name stays. */
  abandon(): void {
    this.close();
    rmSync(this.draft, { force: true });
  }
}
