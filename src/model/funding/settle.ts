import type { Position } from "../state.ts";

/** What a position owes for the index's move since it was last settled: charge rounds up, the rest is carried (FND-3). */
export function computeOwed(_position: Position): { charge: bigint; remainder: bigint } {
  return { charge: 0n, remainder: 0n };
}

/** Settles a position's funding with its bucket's collateral and the market's pool (FND-3). */
export function settleFunding(_position: Position): void {}
