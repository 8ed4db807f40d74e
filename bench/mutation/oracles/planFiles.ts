import type { Reach } from "./scenarioWorker.ts";

/** A file and its run without a mutant. */
export interface Measured {
  readonly file: string;
  readonly reach: Reach;
}

/** A file that runs a mutant's place, and how often the mutant makes a difference there. */
export interface Candidate {
  readonly file: string;
  readonly seconds: number;
  readonly times: number;
}

export interface Planned {
  /** Files in which the mutant makes a difference, in the order to try. */
  readonly files: readonly Candidate[];
  readonly reached: readonly Candidate[];
  /** Its place runs when a module is loaded: all files are candidates. */
  readonly isLoaded: boolean;
}

/** Fixed cost of a file in seconds, and the number of differences that suffices. */
const [START, OFTEN] = [0.02, 20] as const;

/** Plans the files of each mutant: first the ones with the most differences for their time. */
export function planFiles(measured: readonly Measured[]): (mutant: number) => Planned {
  const reachedBy = new Map<number, Candidate[]>();
  const loaded = new Set<number>();
  for (const { file, reach } of measured) {
    for (const { mutant, differed } of reach.seen) {
      const list = reachedBy.get(mutant) ?? [];
      reachedBy.set(mutant, list);
      list.push({ file, seconds: reach.seconds, times: differed });
    }
    for (const mutant of reach.loaded) loaded.add(mutant);
  }
  const worth = ({ times, seconds }: Candidate) => Math.min(times, OFTEN) / (seconds + START);
  return (mutant) => {
    const isLoaded = loaded.has(mutant);
    const reached = isLoaded
      ? measured.map(({ file, reach }) => ({ file, seconds: reach.seconds, times: 1 }))
      : (reachedBy.get(mutant) ?? []);
    const files = reached
      .filter(({ times }) => times > 0)
      .sort((a, b) => worth(b) - worth(a) || (a.file < b.file ? -1 : 1));
    return { files, reached, isLoaded };
  };
}
