import { LIQUIDATION_POLICIES } from "../../../../protocol/words.ts";
import type { State } from "../../state/state.ts";
import { binance } from "./binance.ts";
import type { LiquidationPolicy } from "./definePolicy.ts";
import { dydx } from "./dydx.ts";
import { hyperliquid } from "./hyperliquid.ts";
import { perplab } from "./perplab.ts";

const BY_NAME: Readonly<Record<(typeof LIQUIDATION_POLICIES)[number], LiquidationPolicy>> = {
  perplab,
  hyperliquid,
  dydx,
  binance,
};

/** Policies in the order of their words. */
const POLICIES: readonly LiquidationPolicy[] = LIQUIDATION_POLICIES.map((name) => BY_NAME[name]);

/** The liquidation policy of a market. */
export function getPolicy(state: State, market: number): LiquidationPolicy {
  return POLICIES[state.parameters[market]!.liquidationPolicy]!;
}
