import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";
import { GENE_WIDTH } from "../genes/choices.ts";

/**
 * A test of the venue as a list of numbers. Any numbers are valid, in any order and after any deletion: they always
 * give a venue and blocks for it (see `CaseRunner`). Genes refer to what exists when they run, such as the newest order
 * or the largest position. So a shortened case still does much the same.
 */
export interface FuzzCase {
  /** Protocol version that the case was made for. */
  readonly protocolVersion: number;
  /** Choices of the venue: markets, accounts, parameters, price process, and the weight of each operation. */
  readonly profile: Uint16Array;
  /** Genes of `GENE_WIDTH` choices each. */
  readonly genes: Uint16Array;
}

export function createCase(profile: ArrayLike<number>, genes: ArrayLike<number>): FuzzCase {
  return { protocolVersion: PROTOCOL_VERSION, profile: Uint16Array.from(profile), genes: Uint16Array.from(genes) };
}

/** Genes of a case. A partial last gene counts as one that is filled up with zeros. */
export function countGenes({ genes }: FuzzCase): number {
  return Math.ceil(genes.length / GENE_WIDTH);
}
