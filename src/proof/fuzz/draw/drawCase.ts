import type { Random } from "../../../ground/math/random.ts";
import { createCase, type FuzzCase } from "../case/fuzzCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { PROFILE_WIDTH } from "../genes/profile.ts";
import { drawShape, SHAPES, type Shape } from "./shapes.ts";
import { drawSwarm, UNIFORM, Wheel, withDensity } from "./weights.ts";

export interface CaseOptions {
  /** A bit of everything, or a swarm: some operations left out, the others as often as chance has it. */
  readonly profile: "uniform" | "swarm";
  /** Genes; about four in five of them are transactions. */
  readonly length: number;
  /** A recipe of `SHAPES` to weave in again and again; now and then any of them by default. */
  readonly shape?: string;
  /** How much rarer ends of blocks are than usual; drawn by default, 1 where a shape is asked for. */
  readonly density?: number;
}

/**
 * Blocks hold three or four transactions where ends of blocks are as frequent as usual, and nearly a hundred where they are
 * rarest. What hangs on time wants many blocks, what hangs on order full ones; long cases would be the slowest of all.
 */
const DENSITIES = { short: [1, 1, 1, 1, 4, 16], long: [1, 4, 16, 16, 64, 64] } as const;
/** Genes of a long case, and more. */
const LONG = 1_300;
/** Recipes bring ends of blocks of their own: they stand further apart in dense cases, at most so many times. */
const SPREAD_MOST = 8;

/** Draws a case. The same random numbers give the same case. */
export function drawCase(random: Random, { profile, length, shape, ...options }: CaseOptions): FuzzCase {
  const usual = shape === undefined ? random.pick(length < LONG ? DENSITIES.short : DENSITIES.long) : 1;
  const density = options.density ?? usual;
  const wheel = new Wheel(withDensity(profile === "swarm" ? drawSwarm(random) : UNIFORM, density));
  const choices = Uint16Array.from({ length: PROFILE_WIDTH }, () => random.below(65_536));
  const genes = new Uint16Array(length * GENE_WIDTH);
  const shapes = SHAPES.filter((name) => shape === undefined || name === shape);
  // A recipe stands in every so many genes: few where any may, many where one is asked for.
  const distance = shape === undefined ? random.pick([0, 30, 60, 120, 300]) * Math.min(density, SPREAD_MOST) : 40;
  let next = random.below(1 + Math.min(distance, 40));
  let start = 0;
  // A venue in use: some keep their positions apart, and there is a book.
  if (random.chance(1, 3)) start = weave(random, wheel, genes, start, "allIsolated");
  // What needs a venue in which nothing has happened yet comes first, or never.
  if (shape === undefined && random.chance(3, 4)) start = weave(random, wheel, genes, start, random.pick(SHAPES));
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

/** Writes a recipe, half of them with a drawn gene between their own now and then. Returns where it ends. */
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

/** Draws one gene into its place. */
export function drawGene(random: Random, wheel: Wheel, genes: Uint16Array, from: number): void {
  genes[from] = wheel.spin(random);
  for (let at = from + 1; at < from + GENE_WIDTH; at += 2) {
    const word = random.int32();
    genes[at] = word & 0xffff;
    if (at + 1 < from + GENE_WIDTH) genes[at + 1] = word >>> 16;
  }
}
