import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";
import { GENE_WIDTH } from "../genes/choices.ts";

/**
 * A test of the venue as numbers that always mean something: whatever they are, in whatever order, and after any of them
 * is left out, they make a venue and blocks for it (see `CaseRunner`). Genes refer to what is there when their time comes,
 * the newest order or the largest position, so that what is left of a case still does much the same.
 */
export interface FuzzCase {
  /** Rules that it was made for. */
  readonly protocolVersion: number;
  /** Choices of the venue: markets, accounts, parameters, how prices go; and how often which operation is drawn. */
  readonly profile: Uint16Array;
  /** Genes of `GENE_WIDTH` choices each. */
  readonly genes: Uint16Array;
}

export function createCase(profile: ArrayLike<number>, genes: ArrayLike<number>): FuzzCase {
  return { protocolVersion: PROTOCOL_VERSION, profile: Uint16Array.from(profile), genes: Uint16Array.from(genes) };
}

/** Genes of a case; choices that do not make a whole one count as one that ends in zeros. */
export function countGenes({ genes }: FuzzCase): number {
  return Math.ceil(genes.length / GENE_WIDTH);
}
