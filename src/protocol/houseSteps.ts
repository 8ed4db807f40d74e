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
 * - `level`: the lots that the house has at that price and side become this size. What is added joins the back of the
 *   queue, and what is taken away comes from the back (ACC-2).
 * - `ahead`: the lots that the house has at that price and side shrink by this size from the front of the queue, at
 *   most to none (ACC-2).
 *
 * A quote, rest or level that crosses another account's resting order takes it first, at that order's price, like any
 * limit order.
 */
export const HOUSE_STEP = { quote: 0, rest: 1, clear: 2, print: 3, last: 4, level: 5, ahead: 6 } as const;

/** Doubles per step. */
export const HOUSE_STEP_WIDTH = 4;
