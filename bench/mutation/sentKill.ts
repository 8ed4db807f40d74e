/** Mutants of a search on a queue: a job names its cases, and their bytes are texts in Redis by their hash. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Connection } from "../../src/product/cluster/queue/connection.ts";
import { type Content, createContent, getContent } from "../../src/product/cluster/queue/contents.ts";
import { ClusterError } from "../../src/product/cluster/queue/errors.ts";
import { FinalError } from "../../src/product/cluster/queue/worker.ts";
import { writeAtomic } from "../../src/proof/fuzz/corpus/atomic.ts";
import { nameOfCase } from "../../src/proof/fuzz/corpus/corpusFolder.ts";
import type { KillJob } from "./worker.ts";

/** A job as it is sent: without a folder of this machine. */
export interface SentKill extends Omit<KillJob, "folder"> {
  /** SHA-256 of the text of each case, in the order of the cases. */
  readonly texts: readonly string[];
}

/** The jobs as they are sent, and the texts of their cases. */
export function sendKills(jobs: readonly KillJob[]): { jobs: SentKill[]; contents: Content[] } {
  const contents = new Map<string, Content>();
  const sent = jobs.map(({ folder, ...job }): SentKill => {
    const texts = job.cases.map(([name]) => {
      const content = contents.get(name) ?? readContent(join(folder, `${name}.case`));
      contents.set(name, content);
      return content.sha256;
    });
    return { ...job, texts };
  });
  return { jobs: sent, contents: [...contents.values()] };
}

/** The text is read again when it is stored, since all cases together may have 200 MB. */
function readContent(path: string): Content {
  const read = () => readFileSync(path).toString("base64");
  const { sha256 } = createContent(read());
  return {
    sha256,
    get text() {
      return read();
    },
  };
}

/**
 * Makes the message to a process of a worker. Writes the cases that its folder does not have.
 *
 * @throws {ClusterError} SHARED_MISSING if Redis does not have a case, which another attempt may find
 * @throws {FinalError} JOB_MALFORMED if a case is another one than its name says
 */
export async function prepareKill(connection: Connection, folder: string, job: unknown): Promise<KillJob> {
  const { texts, ...kill } = job as SentKill;
  mkdirSync(folder, { recursive: true });
  for (const [at, [name]] of kill.cases.entries()) {
    // A name is a path below, so it is checked before any use.
    if (!/^[0-9a-f]{16}$/.test(name)) throw malformed(name);
    const path = join(folder, `${name}.case`);
    if (existsSync(path)) continue;
    const text = await getContent(connection, texts[at]!);
    if (text === undefined) {
      throw new ClusterError("SHARED_MISSING", `Redis does not have the case ${name} of a mutant`, {
        hint: "the command that sent the job stores it again while it runs",
      });
    }
    const bytes = Buffer.from(text, "base64");
    if (nameOfCase(bytes) !== name) throw malformed(name);
    writeAtomic(path, bytes);
  }
  return { ...kill, folder };
}

function malformed(name: string): FinalError {
  return new FinalError({
    code: "JOB_MALFORMED",
    message: `the queue has another case under the name of ${JSON.stringify(name)}`,
    hint: "use a Redis of your own: a program that may write to it decides the results",
  });
}
