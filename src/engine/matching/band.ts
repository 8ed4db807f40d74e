import { mulDivCeil, mulDivFloor, PPM } from "../../math/fixed.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Whether an order price lies in the market's band around oracle and index (ORD-5). Bounds are rounded inwards. */
export function isInBand(state: State, market: MarketRow, price: number): boolean {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const index: number = markets.index[market];
  const oracle: number = markets.oracle[market] === 0 ? index : markets.oracle[market];
  const low = oracle < index ? oracle : index;
  const high = oracle > index ? oracle : index;
  const band: number = rules.priceBand;
  const priceE8 = price * rules.tickSize;
  // A bound beyond what is storable is NaN and bounds nothing.
  const least = band >= PPM ? 0 : mulDivCeil(low, PPM - band, PPM);
  const most = mulDivFloor(high, PPM + band, PPM);
  return !(priceE8 < least) && !(priceE8 > most);
}
