import type { Random } from "../../../ground/math/random.ts";
import { createCase, type FuzzCase } from "../case/fuzzCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { OPERATION, OPERATIONS } from "../genes/operations.ts";
import { AGENT_BELOW, NONCE_REUSED } from "../genes/sign.ts";
import { drawGene } from "./drawCase.ts";
import { block, type Gene, price, writeGene } from "./gene.ts";
import { drawShape, listShapes } from "./shapes.ts";
import { UNIFORM, Wheel } from "./weights.ts";

/** Positions in a gene that follow every operation. */
const ACTOR = 1;
const MARKET = 2;
const HEADER = 3;
const PAYLOAD = 6;
/** A case does not grow beyond this many genes by mutation. */
const GENES_MOST = 20_000;

/** A list of genes to mutate, and another to take genes from. */
interface Work {
  readonly random: Random;
  readonly genes: Uint16Array;
  readonly other: Uint16Array;
  /** Number of genes in `genes`, at least one. */
  readonly count: number;
}

type Mutator = (work: Work) => Uint16Array;

/**
 * Returns a mutant of a case: one to a few mutations of its genes, occasionally one of its profile.
 *
 * @param other source of a splice; by default the case itself
 */
export function mutateCase(random: Random, { profile, genes }: FuzzCase, other?: FuzzCase): FuzzCase {
  const from = other?.genes ?? genes;
  let list = genes;
  const rounds = 1 + random.below(1 + random.below(6));
  for (let round = 0; round < rounds; round++) list = mutateGenes(random, list, from);
  if (list.length < GENE_WIDTH) list = gene(block());
  if (!random.chance(1, 12) || profile.length === 0) return createCase(profile, list);
  const changed = profile.slice();
  if (other !== undefined && random.chance(1, 3)) {
    // Copies a part of the other case's profile.
    const at = random.below(profile.length);
    changed.set(other.profile.subarray(at, Math.min(at + 1 + random.below(64), profile.length)), at);
  } else changed[random.below(profile.length)] = random.chance(1, 4) ? 0 : random.below(65_536);
  return createCase(changed, list);
}

/** Mutators by name, each with its weight. */
export const MUTATORS: Readonly<Record<string, readonly [Mutator, number]>> = {
  changeChoice: [changeChoice, 12],
  swapAccounts: [swapAccounts, 2],
  replaceGene: [replaceGene, 4],
  insertGene: [insertGene, 4],
  deleteGenes: [deleteGenes, 4],
  repeatGenes: [repeatGenes, 4],
  moveGenes: [moveGenes, 3],
  shiftBlock: [shiftBlock, 4],
  repeatNonce: [repeatNonce, 2],
  moveToThreshold: [moveToThreshold, 4],
  insertShape: [insertShape, 2],
  splice: [splice, 3],
  replacePrefix: [replacePrefix, 2],
  interleave: [interleave, 2],
};
const DRAWN: readonly Mutator[] = Object.values(MUTATORS).flatMap(([mutator, weight]) =>
  Array.from({ length: weight }, () => mutator),
);

function mutateGenes(random: Random, genes: Uint16Array, other: Uint16Array): Uint16Array {
  const count = Math.floor(genes.length / GENE_WIDTH);
  if (count === 0) return other.slice();
  const mutated = random.pick(DRAWN)({ random, genes: genes.subarray(0, count * GENE_WIDTH), other, count });
  return mutated.length <= GENES_MOST * GENE_WIDTH ? mutated : mutated.slice(0, GENES_MOST * GENE_WIDTH);
}

/** Changes one choice of one gene: a random one, zero, a neighbour, or another upper half. */
function changeChoice({ random, genes, count }: Work): Uint16Array {
  const changed = genes.slice();
  const place = random.chance(2, 3) ? random.between(PAYLOAD, GENE_WIDTH - 1) : random.below(PAYLOAD);
  const at = random.below(count) * GENE_WIDTH + place;
  const now = changed[at]!;
  changed[at] = random.pick([
    random.below(65_536),
    random.below(8),
    0,
    now + 1,
    now - 1,
    now ^ (1 << random.below(16)),
  ]);
  return changed;
}

/** Exchanges two accounts over a range of genes. */
function swapAccounts({ random, genes, count }: Work): Uint16Array {
  const changed = genes.slice();
  const [from, to] = drawStretch(random, count, 60);
  const by = 1 + random.below(7);
  for (let at = from; at < to; at++) changed[at * GENE_WIDTH + ACTOR]! += by;
  return changed;
}

function replaceGene({ random, genes, count }: Work): Uint16Array {
  const changed = genes.slice();
  drawGene(random, WHEEL, changed, random.below(count) * GENE_WIDTH);
  return changed;
}

function insertGene({ random, genes, count }: Work): Uint16Array {
  const drawn = new Uint16Array(GENE_WIDTH);
  drawGene(random, WHEEL, drawn, 0);
  return insert(genes, random.below(count + 1), drawn);
}

function deleteGenes({ random, genes, count }: Work): Uint16Array {
  const [from, to] = drawStretch(random, count, random.pick([1, 8, 100]));
  return join(take(genes, 0, from), take(genes, to));
}

function repeatGenes({ random, genes, count }: Work): Uint16Array {
  const [from, to] = drawStretch(random, count, 12);
  const times = random.pick([1, 1, 2, 5]);
  const stretch = take(genes, from, to);
  return join(take(genes, 0, to), ...Array.from({ length: times }, () => stretch), take(genes, to));
}

function moveGenes({ random, genes, count }: Work): Uint16Array {
  const [from, to] = drawStretch(random, count, 12);
  const left = join(take(genes, 0, from), take(genes, to));
  return insert(left, random.below(1 + left.length / GENE_WIDTH), take(genes, from, to));
}

/** Moves an end of a block earlier or later, removes it, or adds one. */
function shiftBlock({ random, genes, count }: Work): Uint16Array {
  const start = random.below(count);
  for (let step = 0; step < count; step++) {
    const at = (start + step) % count;
    if (operationOf(genes, at) !== OPERATION.block) continue;
    const left = join(take(genes, 0, at), take(genes, at + 1));
    if (random.chance(1, 4)) return left;
    const by = random.pick([-4, -2, -1, 1, 2, 4]);
    return insert(left, Math.min(Math.max(at + by, 0), count - 1), take(genes, at, at + 1));
  }
  return insert(genes, start, gene(block()));
}

/** Repeats a transaction of an account with the nonce that it already used. */
function repeatNonce({ random, genes, count }: Work): Uint16Array {
  const at = random.below(count);
  const again = take(genes, at, at + 1).slice();
  again[HEADER] = AGENT_BELOW;
  again[HEADER + 1] = NONCE_REUSED;
  return insert(genes, at + 1 + random.below(count - at), random.chance(1, 2) ? again : gene(writeGene("duplicate")));
}

/** Moves the price to a liquidation price, or to an edge, at the end of some block. */
function moveToThreshold({ random, genes, count }: Work): Uint16Array {
  const at = random.below(count);
  const market = genes[at * GENE_WIDTH + MARKET]!;
  const way = random.pick(["trigger", "trigger", "clamp"] as const);
  const move = price(market, way, random.below(1000), random.below(3));
  return insert(genes, at, join(gene(move), gene(block())));
}

function insertShape({ random, genes, count }: Work): Uint16Array {
  return insert(genes, random.below(count + 1), join(...drawShape(random, random.pick(listShapes(count))).map(gene)));
}

/** Joins the start of one case to the end of another. */
function splice({ random, genes, other, count }: Work): Uint16Array {
  const from = random.below(1 + countOf(other));
  return join(take(genes, 0, 1 + random.below(count)), take(other, from));
}

function replacePrefix({ random, genes, other, count }: Work): Uint16Array {
  return join(take(other, 0, random.below(1 + countOf(other))), take(genes, random.below(count)));
}

/** Alternates genes of both cases over a range. */
function interleave({ random, genes, other, count }: Work): Uint16Array {
  const [from, to] = drawStretch(random, count, 60);
  const start = random.below(1 + countOf(other));
  const woven: Uint16Array[] = [];
  for (let at = from; at < to; at++) {
    woven.push(take(genes, at, at + 1), take(other, start + at - from, start + at - from + 1));
  }
  return join(take(genes, 0, from), ...woven, take(genes, to));
}

const WHEEL = new Wheel(UNIFORM);
const gene = (choices: Gene) => Uint16Array.from(choices);
const countOf = (genes: Uint16Array) => Math.floor(genes.length / GENE_WIDTH);
const operationOf = (genes: Uint16Array, at: number) => genes[at * GENE_WIDTH]! % OPERATIONS.length;

/** Draws a range with a maximum length: its first gene, and the gene after its last. */
function drawStretch(random: Random, count: number, most: number): [number, number] {
  const from = random.below(count);
  return [from, Math.min(count, from + 1 + random.below(most))];
}

/** Genes from a position up to, but not including, another. */
function take(genes: Uint16Array, from: number, to?: number): Uint16Array {
  return genes.subarray(from * GENE_WIDTH, to === undefined ? countOf(genes) * GENE_WIDTH : to * GENE_WIDTH);
}

function insert(genes: Uint16Array, at: number, more: Uint16Array): Uint16Array {
  return join(take(genes, 0, at), more, take(genes, at));
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
