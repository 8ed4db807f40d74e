import { createHash } from "node:crypto";
import { Random } from "../../../../ground/math/random.ts";

/**
 * Draws distinct whole numbers below a bound, in the order of the draw: a longer draw of the same seed begins with the
 * shorter one. All of them are equally likely.
 */
export function* drawDistinct(bound: number, seed: string): Generator<number> {
  const random = Random.ofSeed(new Int32Array(new Uint8Array(createHash("sha256").update(seed).digest()).buffer, 0, 4));
  /** Fisher-Yates over 0 .. bound - 1, of which only the entries are kept that were moved. */
  const moved = new Map<number, number>();
  for (let at = 0; at < bound; at++) {
    const from = at + random.below(bound - at);
    const drawn = moved.get(from) ?? from;
    moved.set(from, moved.get(at) ?? at);
    moved.delete(at);
    yield drawn;
  }
}
