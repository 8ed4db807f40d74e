/**
 * A seeded stream of book operations around a wandering middle, 60 % limit orders, 35 % cancels of a live order, 5 %
 * takers. It is made by running the plain book, so it comes with the fills that are right.
 *
 * A limit order rests 1 + geometric (mean 20) ticks from the middle; orders that the middle has passed trade
 * first. Cancels pick any live order. Takers are sized so that the number of live orders stays about the same.
 */

import { Random } from "../../src/ground/math/random.ts";
import { FLAG_SELL } from "../../src/venue/engine/state/schema.ts";
import { FillLog } from "./fillLog.ts";
import { PlainBook } from "./plainBook.ts";

export const OPERATION = { limit: 0, cancel: 1, market: 2 } as const;

export interface BookStream {
  readonly kinds: Uint8Array;
  readonly sides: Uint8Array;
  readonly prices: Int32Array;
  readonly sizes: Int32Array;
  /** Own id of a limit order, id to cancel of a cancel. */
  readonly ids: Float64Array;
  /** Operations that fill the book, not to be timed. */
  readonly prefill: number;
  readonly count: number;
  readonly fills: FillLog;
  /** Fills that the first `at` operations made, by `at`. */
  readonly fillsBefore: Int32Array;
  /** Live orders at the end. */
  readonly live: number;
}

const MIDDLE = 100_000;
const LOTS = 100;
/** Ids are multiples of this, as the engine gives them out: transaction times orders per transaction. */
const ID_STEP = 64;

export interface StreamOptions {
  readonly seed: number;
  readonly operations: number;
  /** Live orders to start with, and to stay near. */
  readonly live: number;
  /** Operations between two moves of the middle, on average. A move makes a level of resting orders tradable. */
  readonly middleMovesEvery: number;
}

export function createBookStream({ seed, operations, live, middleMovesEvery }: StreamOptions): BookStream {
  const random = new Random([seed, 11, 12, 13]);
  const count = live + operations;
  const kinds = new Uint8Array(count);
  const sides = new Uint8Array(count);
  const prices = new Int32Array(count);
  const sizes = new Int32Array(count);
  const ids = new Float64Array(count);
  const fillsBefore = new Int32Array(count + 1);
  const fills = new FillLog(count);
  const liveIds: number[] = [];
  const places = new Map<number, number>();
  const drop = (id: number): void => {
    const place = places.get(id)!;
    places.delete(id);
    const last = liveIds.pop()!;
    if (last === id) return;
    liveIds[place] = last;
    places.set(last, place);
  };
  const book = new PlainBook(fills, drop);

  let middle = MIDDLE;
  for (let at = 0; at < count; at++) {
    const kind = at < live ? 0 : random.below(100);
    if (at >= live && random.chance(1, middleMovesEvery)) middle += random.chance(1, 2) ? 1 : -1;
    sides[at] = random.below(2);
    if (kind < 60 || liveIds.length === 0) {
      let distance = 1;
      while (random.below(20) !== 0) distance++;
      const id = (at + 1) * ID_STEP;
      kinds[at] = OPERATION.limit;
      ids[at] = id;
      prices[at] = sides[at] === FLAG_SELL ? middle + distance : middle - distance;
      sizes[at] = 1 + random.below(LOTS);
      book.limit(id, sides[at]!, prices[at]!, sizes[at]!);
      // An order that traded away at once does not live.
      if (book.live > liveIds.length) {
        places.set(id, liveIds.length);
        liveIds.push(id);
      }
    } else if (kind < 95) {
      const id = liveIds[random.below(liveIds.length)]!;
      kinds[at] = OPERATION.cancel;
      ids[at] = id;
      book.cancel(id);
      drop(id);
    } else {
      const makers = Math.min(60, Math.max(0, 5 + (liveIds.length - live) / 50));
      kinds[at] = OPERATION.market;
      sizes[at] = 1 + random.below(1 + Math.floor(makers * LOTS));
      book.market(sides[at]!, sizes[at]!);
    }
    fillsBefore[at + 1] = fills.count;
  }
  return { kinds, sides, prices, sizes, ids, prefill: live, count, fills, fillsBefore, live: book.live };
}
