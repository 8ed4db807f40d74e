import { createHash } from "node:crypto";
import { openTape } from "../../../product/market-data/tape/openTape.ts";
import { readTapeHash } from "../../../product/market-data/tape/tapeHash.ts";
import { hashCode } from "../../../product/research/runs/codeHash.ts";
import { toCanonicalJson } from "../../../product/research/runs/job.ts";
import { createLocalEngine } from "../../../product/research/runs/localEngine.ts";
import { RunStore } from "../../../product/research/runs/runStore.ts";
import { keepChunks } from "../../../product/research/runs/sources.ts";
import { createStoredEngine } from "../../../product/research/runs/storedEngine.ts";
import type { Definition } from "../../../product/strategy-host/definition.ts";
import type { Context } from "../../command.ts";
import type { Runs, RunsRequest } from "../../runs/openRuns.ts";
import { prepareTape } from "../../runs/prepareTape.ts";

/**
 * An engine that makes runs of a client's strategy, one after the other in this thread.
 *
 * @param folder where tape and records are while the sweep is made
 * @throws {DataError} the fault of the data
 */
export async function openClientRuns(
  context: Context,
  { strategies, data, ...findings }: RunsRequest,
  definition: Definition,
  folder: string,
): Promise<Runs> {
  const tape = await prepareTape(context, data, findings, folder);
  const source = await openTape(tape);
  const kept = keepChunks(source);
  const code = hashCode();
  // The strategy's code is not known here: this is a name for the jobs of this sweep alone.
  const { id, params } = definition;
  const name = createHash("sha256").update(toCanonicalJson({ id, params })).digest("hex");
  const fresh = createLocalEngine(
    { strategy: async () => strategies[0]!.strategy, data: async () => kept, close: () => source.close() },
    code,
  );
  const store = new RunStore(folder, (path, reason) => context.terminal.err(`${path}: ${reason}`));
  return {
    manifest: source.manifest,
    tape,
    base: { code, data: await readTapeHash(tape) },
    hashes: [name],
    store,
    engine: createStoredEngine(fresh, store),
    fresh,
    workers: 1,
  };
}
