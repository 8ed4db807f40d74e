import type { Random } from "../../../ground/math/random.ts";
import { createCase, type FuzzCase } from "../case/fuzzCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { PROFILE_WIDTH } from "../genes/profile.ts";
import { drawShape, listShapes, SHAPES, type Shape } from "./shapes.ts";
import { drawSwarm, UNIFORM, Wheel, withDensity } from "./weights.ts";

export interface CaseOptions {
  /** `uniform`: all operations. `swarm`: some operations are left out, the others have random weights. */
  readonly profile: "uniform" | "swarm";
  /** Number of genes; about four in five are transactions. */
  readonly length: number;
  /** A recipe of `SHAPES` that is inserted repeatedly. Default: any recipe, occasionally. */
  readonly shape?: string;
  /** Factor by which block ends are rarer than usual. Default: drawn, or 1 if a recipe is requested. */
  readonly density?: number;
}

/**
 * Blocks hold three or four transactions with block ends as frequent as usual, and nearly a hundred with the rarest.
 * Rules that depend on time need many blocks; rules that depend on order need full ones. Long dense cases would be the
 * slowest of all.
 */
const DENSITIES = { short: [1, 1, 1, 1, 4, 16], long: [1, 4, 16, 16, 64, 64] } as const;
/** A case with at least this many genes is long. */
const LONG = 1_300;
/** Recipes contain block ends of their own. In dense cases they are further apart, by at most this factor. */
const SPREAD_MOST = 8;

/** Draws a case. The same random numbers give the same case. */
export function drawCase(random: Random, { profile, length, shape, ...options }: CaseOptions): FuzzCase {
  const usual = shape === undefined ? random.pick(length < LONG ? DENSITIES.short : DENSITIES.long) : 1;
  const density = options.density ?? usual;
  const wheel = new Wheel(withDensity(profile === "swarm" ? drawSwarm(random) : UNIFORM, density));
  const choices = Uint16Array.from({ length: PROFILE_WIDTH }, () => random.below(65_536));
  const genes = new Uint16Array(length * GENE_WIDTH);
  const roomy = listShapes(length);
  const shapes = shape === undefined ? roomy : SHAPES.filter((name) => name === shape);
  // Number of genes between two recipes: rarely any recipe, or often the requested one.
  const distance = shape === undefined ? random.pick([0, 30, 60, 120, 300]) * Math.min(density, SPREAD_MOST) : 40;
  let next = random.below(1 + Math.min(distance, 40));
  let start = 0;
  // Start with a venue in use: isolated positions, or a book with depth.
  if (random.chance(1, 3)) start = weave(random, wheel, genes, start, "allIsolated");
  // A recipe that needs a fresh venue must come first.
  if (shape === undefined && random.chance(3, 4)) start = weave(random, wheel, genes, start, random.pick(roomy));
  if (random.chance(1, 2)) start = weave(random, wheel, genes, start, "depth");
  for (let from = start; from < genes.length; ) {
    if (distance > 0 && from >= next * GENE_WIDTH && shapes.length > 0) {
      from = weave(random, wheel, genes, from, random.pick(shapes));
      next = from / GENE_WIDTH + random.below(2 * distance);
    } else {
      drawGene(random, wheel, genes, from);
      from += GENE_WIDTH;
    }
  }
  return createCase(choices, genes);
}

/** Writes a recipe. Half of the recipes have drawn genes mixed in. Returns the position after the recipe. */
function weave(random: Random, wheel: Wheel, genes: Uint16Array, from: number, shape: Shape): number {
  let at = from;
  const strays = random.chance(1, 2);
  for (const gene of drawShape(random, shape)) {
    if (strays && random.chance(1, 8) && at < genes.length) {
      drawGene(random, wheel, genes, at);
      at += GENE_WIDTH;
    }
    if (at >= genes.length) return at;
    genes.set(gene, at);
    at += GENE_WIDTH;
  }
  return at;
}

/** Draws one gene at a position. */
export function drawGene(random: Random, wheel: Wheel, genes: Uint16Array, from: number): void {
  genes[from] = wheel.spin(random);
  for (let at = from + 1; at < from + GENE_WIDTH; at += 2) {
    const word = random.int32();
    genes[at] = word & 0xffff;
    if (at + 1 < from + GENE_WIDTH) genes[at + 1] = word >>> 16;
  }
}
