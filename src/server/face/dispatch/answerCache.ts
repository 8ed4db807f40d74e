/**
 * Bodies of answers that are valid until the next block, by path and query. A repeated request at the same height
 * reuses the body.
 */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #charactersMost: number;
  #characters = 0;

  /** @param charactersMost most characters of stored bodies */
  constructor(charactersMost = 32_000_000) {
    this.#charactersMost = charactersMost;
  }

  get size(): number {
    return this.#answers.size;
  }

  get(path: string): CachedAnswer | undefined {
    return this.#answers.get(path);
  }

  add(path: string, answer: CachedAnswer): void {
    const size = path.length + answer.body.length + 200;
    if (this.#characters + size > this.#charactersMost || this.#answers.has(path)) return;
    this.#characters += size;
    this.#answers.set(path, answer);
  }

  /** The venue has a new block. */
  clear(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

export interface CachedAnswer {
  readonly operation: string;
  readonly weight: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
