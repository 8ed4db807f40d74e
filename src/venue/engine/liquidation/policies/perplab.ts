import { LIQUIDATION_STAGE } from "../../../../protocol/events.ts";
import { betterOf, computeSlippageLimit, getBankruptcyLimit, getFillableLimit, sendStepOrder } from "../bookOrder.ts";
import { closeAtMark, deleverage } from "../deleverage.ts";
import { isDistressed, isGone, isTakeable } from "../distress.ts";
import { isCooling, startChunk } from "../pacing.ts";
import { enterStage } from "../stages.ts";
import { takeOver } from "../takeover.ts";
import type { LiquidationPolicy } from "./definePolicy.ts";

/**
 * The venue's own policy (LIQ-2 to LIQ-6): into the book within the better of bankruptcy price and fillable price, in
 * chunks above `liquidationWhole`; then the backstop; then, with equity gone, the book beyond the bankruptcy price at
 * the fund's cost, deleveraging at the bankruptcy price, and the mark.
 */
export const perplab: LiquidationPolicy = {
  waits: true,
  insuresDeficit: true,

  close(state, marginAccount, part) {
    const { positions } = state;
    const { position } = part;
    const rules = state.parameters[part.market]!;
    const long = positions.signedLots[position] > 0;
    const distressed = isDistressed(state, marginAccount);
    if (!distressed && isCooling(state, position)) return;
    const lots = startChunk(state, position, distressed || part.notional <= BigInt(rules.liquidationWhole));
    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.bookClosing);
    const limit = betterOf(long, getBankruptcyLimit(state, part), getFillableLimit(state, marginAccount, part));
    sendStepOrder(state, marginAccount, part, { lots, limit, insured: false, fee: rules.liquidationFee });
    if (positions.signedLots[position] === 0) return;

    if (isTakeable(state, marginAccount)) takeOver(state, marginAccount, part);
    if (positions.signedLots[position] === 0 || !isGone(state, marginAccount, rules.closeOut)) return;

    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.insuranceCover);
    const bound = computeSlippageLimit(state, positions.market[position], long, rules.insuranceSlippage);
    const rest = Math.abs(positions.signedLots[position]);
    sendStepOrder(state, marginAccount, part, { lots: rest, limit: bound, insured: true, fee: rules.liquidationFee });
    if (positions.signedLots[position] === 0) return;

    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.deleveraging);
    deleverage(state, marginAccount, part);
    if (positions.signedLots[position] !== 0) closeAtMark(state, marginAccount, part);
  },
};
