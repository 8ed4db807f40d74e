/** Names of heights that a devnet reverts to. They nest: a revert to one removes those above it. */
export class Snapshots {
  readonly #heights = new Map<string, number>();
  #numbered = 0;

  /** @param name a free number by default; a known name moves here */
  take(height: number, name?: string): string {
    let taken = name;
    while (taken === undefined || (name === undefined && this.#heights.has(taken))) taken = String(++this.#numbered);
    this.#heights.delete(taken);
    this.#heights.set(taken, height);
    return taken;
  }

  heightOf(name: string): number | undefined {
    return this.#heights.get(name);
  }

  forgetAbove(height: number): void {
    for (const [name, at] of this.#heights) if (at > height) this.#heights.delete(name);
  }

  list(): { name: string; height: number }[] {
    return [...this.#heights].map(([name, height]) => ({ name, height }));
  }
}
