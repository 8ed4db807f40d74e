/** Spans of the layers of a path: 1, 2, 4, ... steps. */
const LAYERS = 14;
/** Height of the finest layer; one of twice the span is higher by the root of 2, as a random walk is. */
const FINEST = 0.001;

/**
 * A seeded path of prices that is a pure function of time, so that it can be asked at any time in any order. It moves
 * as a random walk does over up to 8,192 steps, and stays within 31 % of its middle.
 */
export class RandomPath {
  readonly #seed: number;
  readonly #stepMs: number;

  /** @param stepMs time in which it makes one step; in between it goes straight */
  constructor(seed: number, market: number, stepMs: number) {
    this.#seed = mix(mix(seed) ^ (market + 1));
    this.#stepMs = stepMs;
  }

  /** Distance from the middle as a share of it, -0.31 to 0.31. */
  at(timeMs: number): number {
    let level = 0;
    let height = FINEST;
    let spanMs = this.#stepMs;
    for (let layer = 0; layer < LAYERS; layer++) {
      const place = timeMs / spanMs;
      const node = Math.floor(place);
      const share = place - node;
      level += height * (this.#node(layer, node) * (1 - share) + this.#node(layer, node + 1) * share);
      height *= Math.SQRT2;
      spanMs *= 2;
    }
    return level;
  }

  /** A number from -1 to 1 that belongs to an instant and a purpose, as a path of its own would have. */
  noise(timeMs: number, purpose: number): number {
    return toFraction(mix(mix(this.#seed ^ purpose ^ (timeMs / 4_294_967_296)) ^ (timeMs | 0)));
  }

  #node(layer: number, node: number): number {
    return toFraction(mix(mix(this.#seed ^ (layer + 101)) ^ (node | 0)));
  }
}

function toFraction(word: number): number {
  return (word >>> 0) / 2_147_483_648 - 1;
}

/** Mixes the bits of a word; the finaliser of MurmurHash3. */
function mix(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
