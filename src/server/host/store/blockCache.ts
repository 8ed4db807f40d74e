import type { BlockEntry } from "../host.ts";

/** The most recently requested blocks, by height. */
export class BlockCache {
  readonly #most: number;
  readonly #blocks = new Map<number, BlockEntry>();

  constructor(most: number) {
    this.#most = most;
  }

  get(height: number): BlockEntry | undefined {
    const block = this.#blocks.get(height);
    if (block === undefined) return undefined;
    this.#blocks.delete(height);
    this.#blocks.set(height, block);
    return block;
  }

  set(block: BlockEntry): void {
    this.#blocks.delete(block.height);
    this.#blocks.set(block.height, block);
    if (this.#blocks.size > this.#most) this.#blocks.delete(this.#blocks.keys().next().value!);
  }

  /** Drops the blocks above a height. */
  cut(height: number): void {
    for (const above of [...this.#blocks.keys()]) if (above > height) this.#blocks.delete(above);
  }
}
