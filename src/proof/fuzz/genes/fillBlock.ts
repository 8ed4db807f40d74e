import type { BlockBuilder } from "./blockBuilder.ts";
import { reportPrice } from "./prices.ts";
import { signSystem } from "./sign.ts";

/** A block ends when it holds this many transactions. */
const BLOCK_MOST = 128;
/** Time to the next block if no gene sets it, ms. */
export const STEP_MS = 1_000;

/** Reports every world price: orders need a price to be measured against. They fill the first block of a venue. */
export function reportFirstPrices(builder: BlockBuilder): void {
  if (!builder.profile.isPriced) return;
  for (const path of builder.prices)
    builder.oracle.push(signSystem(builder, "oracleUpdate", reportPrice(builder, path)));
}

/**
 * Fills a block by gene after gene, until one ends it or it is full.
 *
 * @param resolve applies the next gene: ms to the next block if it ends this one, 0 if not, undefined if there is none
 * @returns       ms to the next block, undefined if there was no gene left to end it
 */
export function fillBlock(builder: BlockBuilder, resolve: () => number | undefined): number | undefined {
  for (let step = resolve(); step !== undefined; step = resolve()) {
    if (step !== 0) return step;
    if (builder.size >= BLOCK_MOST) return STEP_MS;
  }
  return undefined;
}
