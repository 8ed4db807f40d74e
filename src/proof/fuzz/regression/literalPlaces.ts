import type { Departure } from "./departures.ts";

/**
 * Places that a file writes as literal values: nonces as numbers, ids as digits, a mark that is absent. By default a
 * scenario would give these places another value. All other places are written as a person would.
 */
export class LiteralPlaces {
  readonly #places = new Map<number, Set<string>>();
  readonly #nonces = new Map<number, string>();

  /** True if a place of a line, such as `payload.orderId`, is written as a literal. */
  has(line: number, place: string): boolean {
    return this.#places.get(line)?.has(place) === true;
  }

  /** True if any place of a line's payload is a literal. */
  hasPayload(line: number): boolean {
    return [...(this.#places.get(line) ?? [])].some((place) => place.startsWith("payload."));
  }

  /** Literal nonce of a line in the notation of a file; undefined if it is not a literal. */
  nonceOf(line: number): string | undefined {
    return this.#nonces.get(line);
  }

  /**
   * Turns the departures of a file into literals.
   *
   * @param distanceOf distance from the next nonce that was written for a line; 0 if none was written
   * @returns the departures that no literal can repair
   */
  add(departures: readonly Departure[], distanceOf: (line: number) => number): Departure[] {
    return departures.filter((departure) => !this.#repair(departure, distanceOf));
  }

  #repair({ line, place, wanted, built }: Departure, distanceOf: (line: number) => number): boolean {
    if (line === undefined) return false;
    if (place === "header.nonce") {
      const nonce = wanted as number;
      const before = this.#nonces.get(line);
      if (nonce >= 0) {
        this.#nonces.set(line, String(nonce));
        return before === undefined;
      }
      // A negative nonce can only be written as a distance from the next one.
      if (built === undefined) return false;
      const written = before === undefined ? distanceOf(line) : Number(JSON.parse(before));
      const distance = written + nonce - (built as number);
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
