import { mulDivTrunc } from "../../../ground/math/fixed.ts";

/**
 * The profit that a fill realises (POS-2). In every case the cost after it is cost + value + realized:
 *
 *     increase       0
 *     reduce         -value - released         released = trunc(cost * |lots| / |size|)
 *     close          -value - cost             the last lot releases all
 *     through zero   -closing - cost           closing = trunc(value * |size| / |lots|), exact for order fills
 *
 * @param signedLots  lots before the fill; positive is long
 * @param cost  paid for them, quote units; negative for a short
 * @param lots  of the fill, signed: positive buys
 * @param value signed quote units paid: positive for a buy at a positive price
 * @returns     quote units, fee not counted
 *
 * Rounding: both divisions toward zero, for both signs. The part that stays in the cost is realised by a later fill, so
 * release only moves value between realised and unrealised.
 */
export function computeRealized(signedLots: number, cost: number, lots: number, value: number): number {
  if (signedLots === 0 || signedLots > 0 === lots > 0) return 0;
  const next = signedLots + lots;
  if (next === 0) return 0 - value - cost;
  if (next > 0 === signedLots > 0)
    return 0 - value - mulDivTrunc(cost, lots < 0 ? -lots : lots, signedLots < 0 ? -signedLots : signedLots);
  return 0 - mulDivTrunc(value, signedLots < 0 ? -signedLots : signedLots, lots < 0 ? -lots : lots) - cost;
}
