import type { Random } from "../../math/random.ts";
import { createCase, type FuzzCase } from "../case/fuzzCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { PROFILE_WIDTH } from "../genes/profile.ts";
import { drawSwarm, UNIFORM, Wheel } from "./weights.ts";

export interface CaseOptions {
  /** A bit of everything, or a swarm: some operations left out, the others as often as chance has it. */
  readonly profile: "uniform" | "swarm";
  /** Genes; about two thirds of them are transactions. */
  readonly length: number;
  /** A recipe that hurts venues, woven in; none by default. */
  readonly shape?: string;
}

/** Draws a case. The same random numbers give the same case. */
export function drawCase(random: Random, { profile, length }: CaseOptions): FuzzCase {
  const wheel = new Wheel(profile === "swarm" ? drawSwarm(random) : UNIFORM);
  const choices = Uint16Array.from({ length: PROFILE_WIDTH }, () => random.below(65_536));
  const genes = new Uint16Array(length * GENE_WIDTH);
  for (let from = 0; from < genes.length; from += GENE_WIDTH) drawGene(random, wheel, genes, from);
  return createCase(choices, genes);
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
