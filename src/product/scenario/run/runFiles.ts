import type { Invariant } from "../../../proof/invariants/statements.ts";
import type { JobEngine } from "../../jobs/engine.ts";
import type { JobKind } from "../../jobs/kind.ts";
import type { ScenarioResult } from "./result.ts";
import { runScenarioFile } from "./runScenario.ts";
import { readFrom, readTexts, type Texts } from "./texts.ts";

/** Part `index` of `count`, counting from 1: every `count`-th file. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The files of one shard; all shards together are all files. */
export function shardFiles(files: readonly string[], { index, count }: Shard): string[] {
  return files.filter((_, at) => at % count === index - 1);
}

/** One job: a file. */
interface Part {
  readonly file: string;
  /** Text of every file that the scenario reads, by its path; null if the job reads them itself. */
  readonly texts: Texts | null;
}

/** Name of the kind. */
export const SCENARIO_KIND = "scenario";

export interface RunFilesOptions {
  /** Absolute paths of modules with invariants of the user's own. */
  readonly modules?: readonly string[];
  /** Sends the text of every file with its job: where the job is made, there are no files. */
  readonly isRemote?: boolean;
  /** A file is done. */
  readonly onDone?: () => void;
}

/**
 * Runs files. The results are in the order of the files, and do not depend on the engine, but for their times.
 *
 * @param engine knows the kind `scenario`
 */
export async function runFiles(
  files: readonly string[],
  engine: JobEngine,
  { modules = [], isRemote = false, onDone }: RunFilesOptions = {},
): Promise<ScenarioResult[]> {
  const parts = files.map((file): Part => ({ file, texts: isRemote ? readTexts(file) : null }));
  const shared = modules.length === 0 ? "" : JSON.stringify(modules);
  const batch = { kind: SCENARIO_KIND, shared, parts };
  const texts = await engine.run(batch, onDone === undefined ? {} : { onDone });
  return texts.map((text) => JSON.parse(text) as ScenarioResult);
}

/**
 * Runs one file.
 *
 * @param load reads the invariants of modules of the user's own; it is called if there are any
 */
export function createScenarioKind(load: (modules: readonly string[]) => Promise<readonly Invariant[]>): JobKind {
  return {
    async open(shared) {
      const invariants = shared === "" ? [] : await load(JSON.parse(shared) as readonly string[]);
      return (part) => {
        const { file, texts } = part as Part;
        const readText = texts === null ? {} : { readText: readFrom(texts) };
        return JSON.stringify(runScenarioFile(file, { invariants, ...readText }));
      };
    },
  };
}
