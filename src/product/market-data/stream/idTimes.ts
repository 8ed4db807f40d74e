const EMPTY = -1;
const FIRST_SLOTS = 1 << 12;

/**
 * The time of every trade id seen so far: an open hash table of two doubles a slot. It takes 24 to 48 bytes for each
 * trade, because an id in no order may come again at any distance.
 */
export class IdTimes {
  private ids = new Float64Array(FIRST_SLOTS).fill(EMPTY);
  private times = new Float64Array(FIRST_SLOTS);
  private count = 0;

  /** Stores the time of a new id and returns `undefined`; returns the stored time of a known one. */
  add(id: number, timeMs: number): number | undefined {
    const slot = this.find(id);
    if (this.ids[slot] === id) return this.times[slot];
    this.ids[slot] = id;
    this.times[slot] = timeMs;
    this.count++;
    if (this.count * 3 > this.ids.length * 2) this.grow();
    return undefined;
  }

  /** Slot of the id, or the free slot where it belongs. */
  private find(id: number): number {
    const mask = this.ids.length - 1;
    // Low and high half of the id, mixed: ids of some venues are random, of others in runs.
    let hash = Math.imul((id >>> 0) ^ Math.imul(Math.floor(id / 4_294_967_296), 0x85ebca6b), 0x9e3779b1);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    while (this.ids[slot] !== EMPTY && this.ids[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { ids, times } = this;
    this.ids = new Float64Array(ids.length * 2).fill(EMPTY);
    this.times = new Float64Array(ids.length * 2);
    for (let old = 0; old < ids.length; old++) {
      if (ids[old] === EMPTY) continue;
      const slot = this.find(ids[old]!);
      this.ids[slot] = ids[old]!;
      this.times[slot] = times[old]!;
    }
  }
}
