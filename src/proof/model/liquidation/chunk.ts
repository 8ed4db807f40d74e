import { abs } from "../arithmetic.ts";
import type { ModelState, Position } from "../state.ts";
import { computeChunk } from "./bankruptcyValue.ts";

/** All of a position, or a chunk of it, rounded up; after a chunk the next one waits (LIQ-2). */
export function startChunk(state: ModelState, position: Position, whole: boolean): bigint {
  const { liquidationChunk, liquidationCooldown } = position.market.parameters;
  if (whole) return abs(position.signedLots);
  position.cooldownMs = state.timeMs + liquidationCooldown;
  return computeChunk(position.signedLots, liquidationChunk);
}
