/**
 * Funding in exact rationals: what a position owes, with no remainder to carry. The twin of src/venue/engine/funding.
 */

/** Payment index of one lot, in 1e-9 quote units: what the engine adds for a rate (ppb) at an index price (1e-8). */
export function exactIndexMove(rate: bigint, index: bigint, lotSize: bigint): bigint {
  // rate / 1e9 * index / 1e8 * lotSize / 1e8 USD, in 1e-6, in 1e-9 of it: * 1e15 / 1e25.
  return (rate * index * lotSize) / 10n ** 10n;
}

/** What is paid in whole quote units if everything owed up to now were settled once: rounded against the account. */
export function exactFundingPayment(owedNano: bigint): bigint {
  const whole = owedNano / 10n ** 9n;
  return owedNano > 0n && whole * 10n ** 9n !== owedNano ? whole + 1n : whole;
}
