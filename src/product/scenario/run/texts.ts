import { snapshotPath } from "../compile/compileStart.ts";
import { Faults } from "../faults.ts";
import { expandCases } from "../parse/cases.ts";
import { getCell, type MapCell } from "../parse/cell.ts";
import { loadCells, type ReadText, readTextFile } from "../parse/include.ts";
import { goldenStatePath } from "./goldenState.ts";

/** Texts by the paths of their files. */
export type Texts = Readonly<Record<string, string>>;

/** Reads from texts; a path without one is a file that does not exist. */
export function readFrom(texts: Texts): ReadText {
  return (path) => {
    const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
    if (text === undefined) throw new Error(`there is no file ${path}`);
    return text;
  };
}

/**
 * The texts that a run of a scenario file reads, by path: the file, the files that it includes, the stored venues that
 * it starts from, and the states of its golden roots. A file that cannot be read has no text.
 */
export function readTexts(file: string, readText: ReadText = readTextFile): Texts {
  const texts: Record<string, string> = {};
  const read: ReadText = (path) => {
    const text = readText(path);
    texts[path] = text;
    return text;
  };
  // The run reports the faults of the file.
  const faults = new Faults();
  const root = loadCells(file, faults, read);
  for (const path of root === undefined ? [] : listFurther(root, faults)) {
    try {
      read(path);
    } catch {
      // The run reports a stored venue that is missing, and does without a state of a golden root.
    }
  }
  return texts;
}

function listFurther(root: MapCell, faults: Faults): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const one of expandCases(root, faults)) {
    const snapshot = getCell(getCell(one.root, "start"), "snapshot");
    if (snapshot !== undefined) paths.add(snapshotPath(snapshot));
    const golden = getCell(getCell(one.root, "golden"), "root");
    if (golden !== undefined) paths.add(goldenStatePath(golden.place.file));
  }
  return paths;
}
