/**
 * Buffer of events: one growing array of doubles for the blocks since the last flush of the effects chain. It also has
 * the texts that some of them name.
 */
export class EventBuffer {
  data: Float64Array<ArrayBuffer> = new Float64Array(1024);
  /** Doubles written. */
  length = 0;
  /** Events written in this block. */
  count = 0;
  /** Texts of this block. */
  texts: string[] = [];

  /** Opens a record of `width` doubles and returns where it starts. */
  begin(width: number): number {
    const at = this.length;
    const end = at + width;
    if (end > this.data.length) this.grow(end);
    this.length = end;
    this.count++;
    return at;
  }

  /** Keeps a text for an event of this block and returns its place. */
  text(value: string): number {
    return this.texts.push(value) - 1;
  }

  private grow(least: number): void {
    const grown = new Float64Array(Math.max(least, this.data.length * 2));
    grown.set(this.data);
    this.data = grown;
  }
}
