/**
 * Share of one margin account in a shared loss (LIQ-6): pro rata to its equity above maintenance and capped by it,
 * rounded down.
 *
 *     share = floor(min(loss, total) * above / total)
 *
 * @param loss  to be shared out, quote units, at least 0
 * @param above the margin account's equity above maintenance, at least 0
 * @param total sum of `above` over all that bear it, positive
 */
export function computeLossShare(loss: bigint, above: bigint, total: bigint): bigint {
  return ((loss < total ? loss : total) * above) / total;
}
