import { LIQUIDATION_STAGE } from "../../../../protocol/events.ts";
import { computeSlippageLimit, getBankruptcyLimit, sendStepOrder } from "../bookOrder.ts";
import { closeAtMark, deleverage } from "../deleverage.ts";
import { isGone } from "../distress.ts";
import { enterStage } from "../stages.ts";
import { takeOver } from "../takeover.ts";
import type { LiquidationPolicy } from "./definePolicy.ts";

/**
 * As Binance's futures do (its help pages on liquidation, insurance fund and auto-deleveraging). Against `perplab`:
 *
 * - One order for all of the position, limited by the bankruptcy price; the clearance fee is `liquidationFee`, as far
 *   as the fill is better than that price. No chunks.
 * - The insurance fund takes over the rest at the bankruptcy price, whatever equity is left. The fund of this venue
 *   holds no positions: a backstop, if there is one, takes the rest instead. Without a backstop the rest waits while
 *   equity is left. When equity is gone, the rest is closed up to `insuranceSlippage` beyond the mark, and the fund
 *   pays the shortfall to the bankruptcy price: a takeover that is unwound at once.
 * - What the fund cannot carry is deleveraged at the bankruptcy price, by PnL % times leverage for those in profit, and
 *   by PnL % over leverage for the others.
 */
export const binance: LiquidationPolicy = {
  waits: false,
  insuresDeficit: true,

  close(state, marginAccount, part) {
    const { positions } = state;
    const { position } = part;
    const rules = state.parameters[part.market]!;
    const long = positions.signedLots[position] > 0;
    const order = { insured: false, fee: rules.liquidationFee };
    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.bookClosing);
    const lots = Math.abs(positions.signedLots[position]);
    sendStepOrder(state, marginAccount, part, { ...order, lots, limit: getBankruptcyLimit(state, part) });
    if (positions.signedLots[position] === 0) return;

    takeOver(state, marginAccount, part);
    if (positions.signedLots[position] === 0 || !isGone(state, marginAccount, 0)) return;

    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.insuranceCover);
    const limit = computeSlippageLimit(state, positions.market[position], long, rules.insuranceSlippage);
    const rest = Math.abs(positions.signedLots[position]);
    sendStepOrder(state, marginAccount, part, { ...order, lots: rest, limit, insured: true });
    if (positions.signedLots[position] === 0) return;

    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.deleveraging);
    deleverage(state, marginAccount, part);
    if (positions.signedLots[position] !== 0) closeAtMark(state, marginAccount, part);
  },
};
