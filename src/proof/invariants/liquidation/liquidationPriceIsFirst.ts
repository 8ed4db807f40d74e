import { getLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listPositions, nameOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";

/** At most this many positions a sweep; sweeps of other turns check others. */
const MOST = 12;

export const liquidationPriceIsFirst = defineInvariant({
  id: "liquidationPriceIsFirst",
  sentence:
    "At a position's reported liquidation price its margin account is below maintenance; one price unit earlier it is not.",
  rules: ["MRG-6"],
  catalogue: ["L01"],
  when: "block",
  heavy: true,
  sweep: (state, step) => findLatePrice(state, step),
});

/** @param getPrice the engine's liquidation price, or a faulty one in tests */
export function findLatePrice(
  state: State,
  step: Pick<Step, "met" | "turn">,
  getPrice: (state: State, at: PositionRow) => number | undefined = getLiquidationPrice,
): string | undefined {
  const open = listPositions(state).filter((at) => state.positions.signedLots[at] !== 0);
  for (let turn = 0; turn < Math.min(MOST, open.length); turn++) {
    const at = open[(step.turn + turn) % open.length]!;
    step.met++;
    const fault = findFault(state, at, getPrice(state, at));
    if (fault !== undefined) return `${nameOf(state, at)}: ${fault}`;
  }
  return undefined;
}

/** @param price the reported liquidation price */
function findFault(state: State, at: PositionRow, price: number | undefined): string | undefined {
  const { positions, markets, parameters } = state;
  const market = positions.market[at]!;
  const isLong = positions.signedLots[at]! > 0;
  const isBelow = (price: number) => {
    const isolated = positions.mode[at] === 0 ? undefined : at;
    const markOf = (row: number) => (row === market ? price : markets.mark[row as never]!);
    const { equity, maintenance } = exactHealth(state, positions.account[at]!, isolated, markOf);
    return equity < maintenance;
  };
  const mark: number = markets.mark[market]!;
  if (isBelow(mark)) return price === mark ? undefined : `below maintenance at ${mark}, and ${price} is reported`;
  const last = isLong ? 1 : parameters[market]!.priceMost;
  if (price === undefined)
    return isBelow(last) ? `no price is reported, and it is below maintenance at ${last}` : undefined;
  if (isLong ? price >= mark || price < 1 : price <= mark || price > last)
    return `${price} is reported at a mark of ${mark}`;
  if (!isBelow(price)) return `it still covers maintenance at ${price}`;
  return isBelow(isLong ? price + 1 : price - 1) ? `it is below maintenance before ${price}` : undefined;
}
