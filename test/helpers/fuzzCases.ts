import fc from "fast-check";
import { createCase, type FuzzCase } from "../../src/proof/fuzz/case/fuzzCase.ts";
import { UNIFORM } from "../../src/proof/fuzz/draw/weights.ts";
import { GENE_WIDTH } from "../../src/proof/fuzz/genes/choices.ts";
import { OPERATION, OPERATIONS } from "../../src/proof/fuzz/genes/operations.ts";
import { PROFILE_WIDTH } from "../../src/proof/fuzz/genes/profile.ts";

export interface FuzzCasesOptions {
  /** Most genes. Default: 100. */
  readonly most?: number;
  /** Every venue is the plain one. Default: any venue. */
  readonly plain?: boolean;
}

/**
 * Cases for properties: operations as often as a uniform case has them. Shrinks to fewer genes, and each choice toward
 * 0, the plainest.
 *
 * ```ts
 * fc.assert(fc.property(fuzzCases(), (given) => { ... }));
 * ```
 */
export function fuzzCases({ most = 100, plain = false }: FuzzCasesOptions = {}): fc.Arbitrary<FuzzCase> {
  const choice = fc.nat(65_535);
  const operation = fc.oneof(
    ...OPERATIONS.map((name) => ({ weight: UNIFORM[name], arbitrary: fc.constant(OPERATION[name]) })),
  );
  const rest = fc.array(choice, { minLength: GENE_WIDTH - 1, maxLength: GENE_WIDTH - 1 });
  const gene = fc.tuple(operation, rest).map(([first, others]) => [first, ...others]);
  const profile = fc.array(choice, { minLength: PROFILE_WIDTH, maxLength: PROFILE_WIDTH });
  return fc
    .tuple(plain ? fc.constant([]) : profile, fc.array(gene, { maxLength: most, size: "max" }))
    .map(([venue, genes]) => createCase(venue, genes.flat()));
}
