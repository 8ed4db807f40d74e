import { NONE } from "../../../ground/collections/table.ts";
import { INTENT_KIND, INTENT_STATE, SIDE } from "../../../protocol/words.ts";
import { LazyHeap } from "./lazyHeap.ts";
import type { IntentRow, Intents, MarketRow } from "./schema.ts";

/** Heaps of a market: by source, triggers that fire above a price, then those that fire below. */
const HEAPS_PER_MARKET = 6;

/** Stale entries that are tolerated in addition to the entries of all intents. */
const STALE_MOST = 256;

/**
 * Whether a trigger fires when the price falls to it: stops and trailing stops that sell, take-profits that buy. The
 * others fire when it rises to them.
 */
export function isBelow(kind: number, side: number): boolean {
  return (kind === INTENT_KIND.takeProfit) === (side === SIDE.buy);
}

/**
 * The intents that must be checked. Derived: `rebuildIntents` makes it from the table, and it affects no behaviour.
 *
 * An armed intent is in heaps under each key that would make it act: a trigger, the best price of a trailing stop, the
 * time of its next slice, its last height and time. An entry counts only while the intent still has that very key.
 */
export class IntentIndex {
  readonly rowOf: Map<number, IntentRow> = new Map();
  /** Orders whose fills and whose end concern an intent: entries, and orders of groups. */
  readonly watched: Set<number> = new Set();
  /** Watched orders that left the book in this block, each id followed by its account. Empty between blocks. */
  readonly ended: number[] = [];
  /** The intents as they were, while an attempt runs that has written one. */
  kept: { readonly table: Intents; readonly texts: string[] } | undefined = undefined;
  /** The intent whose order enters now. */
  firing: IntentRow = NONE as IntentRow;
  /** By market * 6 + source * 2 + (fires below). */
  triggers: LazyHeap[] = [];
  /** Best prices of trailing stops, in the same places. */
  trails: LazyHeap[] = [];
  slices: LazyHeap = new LazyHeap();
  heights: LazyHeap = new LazyHeap();
  times: LazyHeap = new LazyHeap();
  entries = 0;

  find(id: number): IntentRow {
    return this.rowOf.get(id) ?? (NONE as IntentRow);
  }

  /** Puts an intent under all its keys. */
  add(intents: Intents, row: IntentRow): void {
    const id = intents.id[row];
    this.rowOf.set(id, row);
    this.push(this.heights, intents.goodTilHeight[row], id);
    this.push(this.times, intents.goodTilTime[row], id);
    if (intents.state[row] === INTENT_STATE.armed) this.arm(intents, row);
  }

  /** Puts an armed intent under the keys that would make it fire. */
  arm(intents: Intents, row: IntentRow): void {
    const id = intents.id[row];
    if (intents.kind[row] === INTENT_KIND.twap) {
      this.slices.push(getSliceKey(intents, row), id);
      return;
    }
    this.armTrigger(intents, row);
    if (intents.kind[row] === INTENT_KIND.trailingStop) this.armTrail(intents, row);
  }

  armTrigger(intents: Intents, row: IntentRow): void {
    // A trailing stop leaves a stale trigger in the heap at every step.
    if (++this.entries > intents.rows.count * 4 + STALE_MOST) this.tidy(intents);
    heapAt(this.triggers, placeOf(intents, row)).push(getTriggerKey(intents, row), intents.id[row]);
  }

  armTrail(intents: Intents, row: IntentRow): void {
    heapAt(this.trails, placeOf(intents, row)).push(getTrailKey(intents, row), intents.id[row]);
  }

  remove(id: number): void {
    this.rowOf.delete(id);
  }

  /**
   * Takes off a heap every id whose key is at most a bound, and returns the rows that are armed and still have the key.
   *
   * @param keyOf the key that the row has now
   */
  take(
    intents: Intents,
    heap: LazyHeap | undefined,
    bound: number,
    keyOf: (intents: Intents, row: IntentRow) => number,
  ): IntentRow[] {
    const taken = new Set<IntentRow>();
    while (heap !== undefined && heap.least <= bound) {
      const key = heap.least;
      const row = this.find(heap.pop());
      if (row === NONE || intents.state[row] !== INTENT_STATE.armed || keyOf(intents, row) !== key) continue;
      taken.add(row);
    }
    return [...taken];
  }

  private push(heap: LazyHeap, key: number, id: number): void {
    if (key !== 0) heap.push(key, id);
  }

  /** Rebuilds the heaps from scratch, without stale entries. */
  private tidy(intents: Intents): void {
    this.triggers = [];
    this.trails = [];
    this.slices = new LazyHeap();
    this.heights = new LazyHeap();
    this.times = new LazyHeap();
    this.entries = 0;
    for (const row of this.rowOf.values()) this.add(intents, row);
  }
}

/** The heap of a market, source and direction, if there ever was an intent for it. */
export function placeOfHeap(market: MarketRow, source: number, below: boolean): number {
  return market * HEAPS_PER_MARKET + source * 2 + (below ? 1 : 0);
}

function placeOf(intents: Intents, row: IntentRow): number {
  return placeOfHeap(intents.market[row], intents.source[row], isBelow(intents.kind[row], intents.side[row]));
}

function heapAt(heaps: LazyHeap[], place: number): LazyHeap {
  while (heaps.length <= place) heaps.push(new LazyHeap());
  return heaps[place]!;
}

/** Least first: the trigger that a rising price meets first, or, negative, the one that a falling price does. */
export function getTriggerKey(intents: Intents, row: IntentRow): number {
  return isBelow(intents.kind[row], intents.side[row]) ? 0 - intents.trigger[row] : intents.trigger[row];
}

/**
 * Least first: the best price that the next better one passes first. A sale trails the highest, a purchase the lowest.
 */
export function getTrailKey(intents: Intents, row: IntentRow): number {
  return isBelow(intents.kind[row], intents.side[row]) ? intents.extreme[row] : 0 - intents.extreme[row];
}

/** Time of the next slice of a schedule. */
export function getSliceKey(intents: Intents, row: IntentRow): number {
  return intents.startMs[row] + intents.sliced[row] * intents.intervalMs[row];
}
