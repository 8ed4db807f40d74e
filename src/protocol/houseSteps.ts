/**
 * Packed steps of a `houseFlow`: what recorded history did in one market, as the house account replays it.
 *
 * A step is four little-endian doubles: kind, price, size, side. Prices are in ticks, sizes in lots.
 *
 * - `quote`: the house order resting on that side becomes one order of this size at this price, or none when the size
 *   is 0. An unchanged price keeps its place in the queue.
 * - `rest`: a further house order on that side at that price, behind what is there (depth beyond the best price).
 * - `clear`: every house order of that side is taken back.
 * - `print`: a recorded trade. The house sends an IOC on that (taker) side at that price; what of it meets the house's
 *   own resting order is history trading with itself: the house order shrinks by it and no position moves (ORD-3,
 *   `decrement`). The last price becomes the print's.
 * - `last`: the last price becomes this one; nothing trades.
 *
 * A quote or rest that crosses somebody's resting order takes it first, at that order's price, like any limit order.
 */
export const HOUSE_STEP = { quote: 0, rest: 1, clear: 2, print: 3, last: 4 } as const;

/** Doubles per step. */
export const HOUSE_STEP_WIDTH = 4;
