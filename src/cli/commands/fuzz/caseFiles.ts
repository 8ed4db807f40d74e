import { existsSync, readFileSync, statSync } from "node:fs";
import type { FuzzCase } from "../../../proof/fuzz/case/fuzzCase.ts";
import { usageError } from "../../fail.ts";

/** A case and the file that it is in. */
export interface CaseFile {
  readonly path: string;
  readonly given: FuzzCase;
}

/**
 * The cases that paths name: files, and corpora with all their cases.
 *
 * @throws {CliError} CASE_VERSION, CASE_MALFORMED with the file at fault; CORPUS_MISSING for a folder without cases
 */
export async function readCaseFiles(paths: readonly string[]): Promise<CaseFile[]> {
  const { CorpusFolder } = await import("../../../proof/fuzz/corpus/corpusFolder.ts");
  const { readCase } = await import("../../../proof/fuzz/case/writeCase.ts");
  return paths.flatMap((path) => {
    if (!existsSync(path) || !statSync(path).isDirectory()) return [{ path, given: readOne(path, readCase) }];
    const folder = new CorpusFolder(path);
    const names = folder.list();
    if (names.length > 0) return names.map((name) => ({ path: folder.pathOf(name), given: folder.read(name) }));
    throw usageError("CORPUS_MISSING", "no case is here", { place: path, hint: "name a .case file or a corpus" });
  });
}

function readOne(path: string, readCase: (bytes: Uint8Array) => FuzzCase): FuzzCase {
  const bytes = readFileSync(path);
  try {
    return readCase(bytes);
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    if (code !== "CASE_VERSION" && code !== "CASE_MALFORMED") throw error;
    throw usageError(code, message, { place: path, cause: error });
  }
}
