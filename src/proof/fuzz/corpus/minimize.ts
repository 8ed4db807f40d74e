import { bucketOf } from "../feedback/coverage.ts";
import { fartherThan } from "../feedback/layout.ts";

/** A case with the places it reached. */
export interface Measured {
  readonly name: string;
  readonly genes: number;
  /** As `CoverageMap.read` returns it. */
  readonly reached: Uint32Array;
}

/**
 * Returns a small set of cases that reaches all places of the whole set. It repeatedly adds the case with the most new
 * places for its length. The set is not always minimal, but does not depend on the order of the cases.
 */
export function minimizeCorpus(cases: readonly Measured[]): string[] {
  const far = listFar(cases);
  const left = cases
    .map(({ name, genes, reached }) => ({
      name,
      genes,
      features: featuresOf(reached).filter((feature) => !far.has(feature >> 8)),
    }))
    .sort((a, b) => a.genes - b.genes || (a.name < b.name ? -1 : 1));
  const seen = new Set<number>();
  const kept: string[] = [];
  for (;;) {
    let best = -1;
    let bestGain = 0;
    for (const [at, one] of left.entries()) {
      one.features = one.features.filter((feature) => !seen.has(feature));
      const gain = one.features.length / (one.genes + 16);
      if (gain > bestGain) {
        best = at;
        bestGain = gain;
      }
    }
    if (best < 0) return kept.sort();
    const [taken] = left.splice(best, 1);
    for (const feature of taken!.features) seen.add(feature);
    kept.push(taken!.name);
  }
}

/** Distance places of an invariant for which another case reached a smaller distance. */
function listFar(cases: readonly Measured[]): Set<number> {
  const far = new Set<number>();
  for (const { reached } of cases) {
    for (let at = 0; at < reached.length; at += 2) {
      const [from, to] = fartherThan(reached[at]!);
      for (let place = from; place < to; place++) far.add(place);
    }
  }
  return far;
}

function featuresOf(reached: Uint32Array): number[] {
  const features: number[] = [];
  for (let at = 0; at < reached.length; at += 2) features.push(reached[at]! * 256 + bucketOf(reached[at + 1]!));
  return features;
}
