import type { Departure } from "./departures.ts";

/**
 * What a file says outright of its lines: nonces as numbers, ids as digits, a mark that is not there. Left to itself a
 * scenario would put something else in these places; everywhere else it says what a person would.
 */
export class LiteralPlaces {
  readonly #places = new Map<number, Set<string>>();
  readonly #nonces = new Map<number, string>();

  /** Whether a place of a line is said as it is, `payload.orderId`. */
  has(line: number, place: string): boolean {
    return this.#places.get(line)?.has(place) === true;
  }

  /** Whether any place of a line's payload is. */
  hasPayload(line: number): boolean {
    return [...(this.#places.get(line) ?? [])].some((place) => place.startsWith("payload."));
  }

  /** The nonce of a line in the words of a file; undefined where nothing is said outright. */
  nonceOf(line: number): string | undefined {
    return this.#nonces.get(line);
  }

  /**
   * Takes note of what a file got wrong.
   *
   * @param distanceOf how far from the next one the nonce of a line was said to be; 0 where nothing was said
   * @returns the departures that no word can mend
   */
  add(departures: readonly Departure[], distanceOf: (line: number) => number): Departure[] {
    return departures.filter((departure) => !this.#mend(departure, distanceOf));
  }

  #mend({ line, place, wanted, built }: Departure, distanceOf: (line: number) => number): boolean {
    if (line === undefined) return false;
    if (place === "header.nonce") {
      const nonce = wanted as number;
      const before = this.#nonces.get(line);
      if (nonce >= 0) {
        this.#nonces.set(line, String(nonce));
        return before === undefined;
      }
      // Below zero there is only the distance from the next one.
      if (built === undefined) return false;
      const said = before === undefined ? distanceOf(line) : Number(JSON.parse(before));
      const distance = said + nonce - (built as number);
      this.#nonces.set(line, JSON.stringify(distance < 0 ? String(distance) : `+${distance}`));
      return true;
    }
    if (!place.startsWith("payload.") && place !== "header.authorization") return false;
    const known = this.#places.get(line) ?? new Set();
    this.#places.set(line, known);
    if (known.has(place)) return false;
    known.add(place);
    return true;
  }
}
