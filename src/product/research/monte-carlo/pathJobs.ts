import type { Batch, JobEngine } from "../../jobs/engine.ts";
import type { JobKind } from "../../jobs/kind.ts";
import { seedRandom } from "../statistics/seed.ts";
import { CHUNK_PATHS, joinChunks, type PathOutcomes, simulateChunk } from "./chunk.ts";
import { type PathSource, resampleReturns, shuffleTrips } from "./equityPaths.ts";
import type { Method } from "./model.ts";

/** The numbers of a run that paths are made of. Plain data. */
export type Sample =
  | { readonly method: "blocks"; readonly returns: readonly number[]; readonly meanBlock: number }
  | { readonly method: "trips"; readonly results: readonly number[] };

/** What all jobs of a simulation share. */
interface Shared {
  readonly seed: string;
  readonly ruinAt: number;
  readonly samples: readonly Sample[];
}

/** One job: up to `CHUNK_PATHS` paths of one method. */
interface Part {
  readonly method: Method;
  /** Number of the chunk, from 0. */
  readonly chunk: number;
  readonly paths: number;
}

/** Name of the kind. */
export const PATHS_KIND = "paths";

/**
 * Draws the paths of some samples, in chunks. Each chunk has a random stream that its number names, so the result does
 * not depend on where or in which order chunks are drawn.
 *
 * @param onDone some paths are done
 * @returns the outcomes of each sample, in the order of the samples
 */
export async function simulateSamples(
  engine: JobEngine,
  { paths, ...shared }: Shared & { readonly paths: number },
  onDone?: () => void,
): Promise<readonly PathOutcomes[]> {
  const methods = shared.samples.map(({ method }) => method);
  const parts = methods.flatMap((method) => planChunks(method, paths));
  const batch: Batch = { kind: PATHS_KIND, shared: JSON.stringify(shared), parts };
  const texts = await engine.run(batch, onDone === undefined ? {} : { onDone });
  return methods.map((method) =>
    joinChunks(texts.filter((_, at) => parts[at]!.method === method).map((text) => readOutcomes(text))),
  );
}

function planChunks(method: Method, paths: number): Part[] {
  return Array.from({ length: Math.ceil(paths / CHUNK_PATHS) }, (_, chunk) => ({
    method,
    chunk,
    paths: Math.min(CHUNK_PATHS, paths - chunk * CHUNK_PATHS),
  }));
}

/** Draws one chunk of paths. */
export const pathKind: JobKind = {
  open(text) {
    const { seed, ruinAt, samples } = JSON.parse(text) as Shared;
    return (part) => {
      const { method, chunk, paths } = part as Part;
      const source = openSource(samples.find((sample) => sample.method === method)!, seed, chunk);
      return writeOutcomes(simulateChunk(source, paths, ruinAt));
    };
  },
};

function openSource(sample: Sample, seed: string, chunk: number): PathSource {
  const random = seedRandom(seed, `monteCarlo/${sample.method}/${chunk}`);
  return sample.method === "blocks"
    ? resampleReturns(sample.returns, sample.meanBlock, random)
    : shuffleTrips(sample.results, random);
}

/** Numbers as the base64 of their bytes: JSON has no infinity, and is twice as long. */
function writeOutcomes({ finals, drawdowns, ruined, fan }: PathOutcomes): string {
  return JSON.stringify({
    finals: writeNumbers(finals),
    drawdowns: writeNumbers(drawdowns),
    ruined,
    fan: fan.map(({ step, equity }) => ({ step, equity: writeNumbers(Float64Array.from(equity)) })),
  });
}

/** The text of `writeOutcomes`. */
interface Written {
  readonly finals: string;
  readonly drawdowns: string;
  readonly ruined: number;
  readonly fan: readonly { readonly step: number; readonly equity: string }[];
}

function readOutcomes(text: string): PathOutcomes {
  const { finals, drawdowns, ruined, fan } = JSON.parse(text) as Written;
  return {
    finals: readNumbers(finals),
    drawdowns: readNumbers(drawdowns),
    ruined,
    fan: fan.map(({ step, equity }) => ({ step, equity: [...readNumbers(equity)] })),
  };
}

function writeNumbers({ buffer, byteOffset, byteLength }: Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function readNumbers(text: string): Float64Array {
  const bytes = Buffer.from(text, "base64");
  return new Float64Array(Uint8Array.from(bytes).buffer);
}
