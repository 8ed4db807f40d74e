import type { Random } from "../../math/random.ts";
import { createCase, type FuzzCase } from "../case/fuzzCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { drawGene } from "./drawCase.ts";
import { UNIFORM, Wheel } from "./weights.ts";

/**
 * A case like another one: some of its choices changed, or genes of it, or of another, moved, repeated or left out.
 *
 * @param other what a splice takes from; the case itself where there is none
 */
export function mutateCase(random: Random, { profile, genes }: FuzzCase, other?: FuzzCase): FuzzCase {
  let list = genes;
  const count = 1 + random.below(1 + random.below(4));
  for (let round = 0; round < count; round++) list = mutateGenes(random, list, other?.genes ?? genes);
  if (!random.chance(1, 12)) return createCase(profile, list);
  const other16 = Uint16Array.from(profile);
  if (other16.length > 0) other16[random.below(other16.length)] = random.below(65_536);
  return createCase(other16, list);
}

function mutateGenes(random: Random, genes: Uint16Array, other: Uint16Array): Uint16Array {
  const length = Math.floor(genes.length / GENE_WIDTH);
  if (length === 0) return other.slice();
  const at = random.below(length) * GENE_WIDTH;
  const end = Math.min(length * GENE_WIDTH, at + (1 + random.below(8)) * GENE_WIDTH);
  switch (random.below(5)) {
    case 0: {
      const changed = genes.slice();
      changed[at + random.below(GENE_WIDTH)] = random.chance(1, 2) ? random.below(65_536) : random.below(4);
      return changed;
    }
    case 1:
      return join(genes.subarray(0, at), genes.subarray(end));
    case 2:
      return join(genes.subarray(0, end), genes.subarray(at));
    case 3: {
      const from = random.below(1 + Math.floor(other.length / GENE_WIDTH)) * GENE_WIDTH;
      return join(genes.subarray(0, at), other.subarray(from));
    }
    default: {
      const drawn = new Uint16Array(GENE_WIDTH);
      drawGene(random, new Wheel(UNIFORM), drawn, 0);
      return join(genes.subarray(0, at), drawn, genes.subarray(at));
    }
  }
}

function join(...parts: readonly Uint16Array[]): Uint16Array {
  const joined = new Uint16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
