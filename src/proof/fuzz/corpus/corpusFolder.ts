import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";
import { countGenes, type FuzzCase } from "../case/fuzzCase.ts";
import { readCase, writeCase } from "../case/writeCase.ts";
import { FuzzError } from "../errors.ts";
import { readIfThere, writeAtomic } from "./atomic.ts";

const FORMAT = "perplab corpus 1";
const CASE_ENDING = ".case";

/** Index entry of a case. */
export interface CorpusNote {
  readonly name: string;
  readonly genes: number;
  readonly transactions: number;
  /** Places of the map that it reached, and the number of new buckets when it was added. */
  readonly places: number;
  readonly news: number;
  /** Iteration of the campaign that found it; negative if unknown. */
  readonly iteration: number;
}

interface Index {
  readonly format: string;
  readonly protocolVersion: number;
  readonly cases: readonly CorpusNote[];
}

/** Name of a case: the first 16 digits of the hash of its bytes. */
export function nameOfCase(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/**
 * Cases on disk, one file each named by the hash of its bytes, with an index of what each one reached. Files are
 * written atomically. A folder of another version is never written to.
 */
export class CorpusFolder {
  readonly path: string;
  readonly #notes = new Map<string, CorpusNote>();

  /** @throws FuzzError CORPUS_VERSION, CORPUS_CORRUPT */
  constructor(path: string) {
    this.path = path;
    const bytes = readIfThere(this.#indexPath);
    if (bytes === undefined) return;
    const index = parseIndex(bytes, this.#indexPath);
    if (index.protocolVersion !== PROTOCOL_VERSION) {
      throw new FuzzError(
        "CORPUS_VERSION",
        `its cases have protocol version ${index.protocolVersion}, this program has version ${PROTOCOL_VERSION}`,
        { place: path, hint: "give another folder; this folder was not changed" },
      );
    }
    for (const note of index.cases) this.#notes.set(note.name, note);
  }

  get #indexPath(): string {
    return join(this.path, "index.json");
  }

  pathOf(name: string): string {
    return join(this.path, "cases", name + CASE_ENDING);
  }

  /** Sorted names of all cases in the folder, including those without an index entry. */
  list(): string[] {
    const folder = join(this.path, "cases");
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(CASE_ENDING))
      .map((file) => file.slice(0, -CASE_ENDING.length))
      .sort();
  }

  noteOf(name: string): CorpusNote | undefined {
    return this.#notes.get(name);
  }

  /** Returns an entry for every case in the folder. A case without an index entry has only its gene count. */
  listNotes(): CorpusNote[] {
    const unknown = { transactions: 0, places: 0, news: 0, iteration: -1 };
    return this.list().map((name) => this.noteOf(name) ?? { name, genes: countGenes(this.read(name)), ...unknown });
  }

  /** @throws FuzzError CORPUS_CORRUPT if the content does not match the file name; CaseError */
  read(name: string): FuzzCase {
    const path = this.pathOf(name);
    const bytes = readIfThere(path);
    if (bytes === undefined) throw new FuzzError("CORPUS_MISSING", "there is no such case", { place: path });
    const found = nameOfCase(bytes);
    if (found !== name) {
      throw new FuzzError("CORPUS_CORRUPT", `its content has the hash ${found}`, {
        place: path,
        hint: "the file was changed after it was written; remove it",
      });
    }
    return readCase(bytes);
  }

  /** Writes a case unless it exists. `writeIndex` writes the index later. */
  add(given: FuzzCase, note: Omit<CorpusNote, "name">): string {
    const bytes = writeCase(given);
    const name = nameOfCase(bytes);
    const path = this.pathOf(name);
    if (!existsSync(path)) writeAtomic(path, bytes);
    this.#notes.set(name, { name, ...note });
    return name;
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { force: true });
    this.#notes.delete(name);
  }

  writeIndex(): void {
    const cases = [...this.#notes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const index: Index = { format: FORMAT, protocolVersion: PROTOCOL_VERSION, cases };
    writeAtomic(this.#indexPath, `${JSON.stringify(index, undefined, 1)}\n`);
  }
}

function parseIndex(bytes: Uint8Array, place: string): Index {
  let index: Index;
  try {
    index = JSON.parse(Buffer.from(bytes).toString("utf8")) as Index;
  } catch (cause) {
    throw new FuzzError("CORPUS_CORRUPT", "the index is not JSON", {
      place,
      cause,
      hint: "delete the index; the cases stay",
    });
  }
  if (index?.format !== FORMAT || !Array.isArray(index.cases)) {
    throw new FuzzError("CORPUS_VERSION", `the index does not have the format "${FORMAT}"`, { place });
  }
  return index;
}
