/**
 * Packed steps of a `houseFlow`: what recorded history did in one market, as the house account replays it.
 *
 * A step is four little-endian doubles: kind, price, size, side. Prices are in ticks, sizes in lots.
 *
 * - `quote`: the ladder that the house's orders of that side become, together with the `rest` steps of the same side
 *   directly after it. An order at a price of the ladder keeps its place in the queue; the others are moved or
 *   cancelled. A step of size 0 places no order.
 * - `rest`: a further house order on that side at that price (depth beyond the best price).
 * - `clear`: every house order of that side is taken back.
 * - `print`: a recorded trade. The house sends an IOC on that (taker) side at that price; what of it meets the house's
 *   own resting order is history trading with itself: the house order shrinks by it and no position moves (ORD-3,
 *   `decrement`). The last price becomes the print's.
 * - `last`: the last price becomes this one; nothing trades.
 *
 * A quote or rest that crosses another account's resting order takes it first, at that order's price, like any limit
 * order.
 */
export const HOUSE_STEP = { quote: 0, rest: 1, clear: 2, print: 3, last: 4 } as const;

/** Doubles per step. */
export const HOUSE_STEP_WIDTH = 4;
