/**
 * Creates a copy of the sources in which every planted bug can be enabled: a folder of `out/perpbench`, with the same
 * folders in it, so that relative paths stay valid. Prints the folder.
 *
 *     node bench/perpbench/buildCopy.ts
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { hashFolder } from "../lib/hashFolder.ts";
import { bugs } from "./bugs/index.ts";
import type { Edit } from "./plantedBug.ts";
import { removeOldCopies } from "./removeOldCopies.ts";

export const ROOT: string = join(import.meta.dirname, "..", "..");
/** Copies, by their hash. */
const COPIES: string = join(ROOT, "out", "perpbench");

/** Edits of the copy only: start and end of a block, for the counters. */
const BLOCKS: readonly Edit[] = [
  {
    file: "venue/engine/applyBlock.ts",
    find: "  const systemCount = checkBlock(state, block);",
    replace: "  enterBlock();\n  const systemCount = checkBlock(state, block);",
  },
  {
    file: "venue/engine/applyBlock.ts",
    find: "  closeBlock(state);",
    replace: "  closeBlock(state);\n  leaveBlock();",
  },
];

const NAMES = "enterBlock, isPlanted, leaveBlock, memo, plant, trigger";

/** Every edit, by file. */
export function listEdits(): Map<string, Edit[]> {
  const byFile = new Map<string, Edit[]>();
  for (const edit of [...BLOCKS, ...bugs.flatMap(({ edits }) => edits)]) {
    byFile.set(edit.file, [...(byFile.get(edit.file) ?? []), edit]);
  }
  return byFile;
}

/**
 * Applies edits to a source.
 *
 * @throws Error if a text to find does not occur exactly once
 */
export function applyEdits(file: string, source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const { find, replace } of edits) {
    const parts = text.split(find);
    if (parts.length !== 2) {
      throw new Error(
        `src/${file}: ${parts.length - 1} matches instead of one for the edit of ${JSON.stringify(find)}: update the edit`,
      );
    }
    text = parts.join(replace);
  }
  const path = posix.relative(posix.dirname(`src/${file}`), "bench/perpbench/planted.ts");
  return `import { ${NAMES} } from "${path}";\n${text}`;
}

/** What plans the work and writes the report: it runs in the clone, and decides no result. */
const OUTSIDE = /^bench\/perpbench\/(plan|report|run\.ts|buildCopy\.ts|removeOldCopies\.ts)$/;

/**
 * Creates the copy from scratch.
 *
 * @returns hash of everything that decides a result: results of copies with equal hashes may be combined
 */
export function buildCopy(copy: string): string {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const part of ["src", "scenarios", "bench/perpbench", "package.json"]) {
    const filter = (path: string) => !OUTSIDE.test(relative(ROOT, path).replaceAll("\\", "/"));
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter });
  }
  for (const [file, edits] of listEdits()) {
    const source = readFileSync(join(ROOT, "src", file), "utf8");
    writeFileSync(join(copy, "src", file), applyEdits(file, source, edits));
  }
  return hashFolder(copy);
}

/** A copy, and the hash of its files, which is its name. */
export interface Copy {
  readonly version: string;
  readonly folder: string;
}

/**
 * The copy of these sources. A copy that is there is never changed: processes may run in it, and may start others.
 * Copies that no run has opened for a week are removed.
 */
export function openCopy(): Copy {
  const draft = join(COPIES, `draft-${process.pid}`);
  const version = buildCopy(draft);
  const folder = join(COPIES, version);
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
  const now = new Date();
  utimesSync(folder, now, now);
  removeOldCopies(COPIES, now.getTime());
  return { version, folder };
}

if (import.meta.main) console.log(openCopy().folder);
