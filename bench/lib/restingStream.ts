import { Random } from "../../src/ground/math/random.ts";
import { FLAG_SELL } from "../../src/venue/engine/state/schema.ts";
import { type BookStream, OPERATION } from "./bookStream.ts";
import { FillLog } from "./fillLog.ts";

/** Limit orders that all rest, up to 5,000 ticks either side of the middle. */
export function createRestingStream(count: number): BookStream {
  const random = new Random([3, 1, 4, 1]);
  const stream: BookStream = {
    kinds: new Uint8Array(count).fill(OPERATION.limit),
    sides: new Uint8Array(count),
    prices: new Int32Array(count),
    sizes: new Int32Array(count).fill(10),
    ids: new Float64Array(count),
    prefill: 0,
    count,
    fills: new FillLog(0),
    fillsBefore: new Int32Array(count + 1),
    live: count,
  };
  for (let at = 0; at < count; at++) {
    const distance = 1 + random.below(5_000);
    stream.sides[at] = random.below(2);
    stream.prices[at] = stream.sides[at] === FLAG_SELL ? 100_000 + distance : 100_000 - distance;
    stream.ids[at] = (at + 1) * 64;
  }
  return stream;
}
