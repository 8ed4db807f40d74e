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

/** What stands in the index about a case. */
export interface CorpusNote {
  readonly name: string;
  readonly genes: number;
  readonly transactions: number;
  /** Places of the map that it reached, and how many buckets were new when it was taken. */
  readonly places: number;
  readonly news: number;
  /** Iteration of the campaign that found it, below 0 where that is not known. */
  readonly iteration: number;
}

interface Index {
  readonly format: string;
  readonly protocolVersion: number;
  readonly cases: readonly CorpusNote[];
}

/** A case's name: the first 16 digits of the hash of its bytes. */
export function nameOfCase(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}

/**
 * Cases on a disk, one file each under the hash of its bytes, and an index of what each reached. A file is written whole
 * or not at all; nothing is ever written into a folder of another version.
 */
export class CorpusFolder {
  readonly path: string;
  readonly #notes = new Map<string, CorpusNote>();

  /**
   * @throws FuzzError CORPUS_VERSION, CORPUS_CORRUPT
   */
  constructor(path: string) {
    this.path = path;
    const bytes = readIfThere(this.#indexPath);
    if (bytes === undefined) return;
    const index = parseIndex(bytes, this.#indexPath);
    if (index.protocolVersion !== PROTOCOL_VERSION) {
      throw new FuzzError(
        "CORPUS_VERSION",
        `its cases are of protocol version ${index.protocolVersion}, this is version ${PROTOCOL_VERSION}`,
        { place: path, hint: "name another folder; this one was left as it is" },
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

  /** Names of the cases that are there, sorted: also those that an index does not know. */
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

  /** A note for every case that is there; of one that the index does not know, its genes alone. */
  listNotes(): CorpusNote[] {
    const unknown = { transactions: 0, places: 0, news: 0, iteration: -1 };
    return this.list().map((name) => this.noteOf(name) ?? { name, genes: countGenes(this.read(name)), ...unknown });
  }

  /**
   * @throws FuzzError CORPUS_CORRUPT for a file that is not what its name says; CaseError
   */
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

  /** Writes a case that is not there yet. The index follows with `writeIndex`. */
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
    throw new FuzzError("CORPUS_CORRUPT", "the index is not JSON", { place, cause, hint: "remove it: cases stay" });
  }
  if (index?.format !== FORMAT || !Array.isArray(index.cases)) {
    throw new FuzzError("CORPUS_VERSION", `the index is not of the form "${FORMAT}"`, { place });
  }
  return index;
}
