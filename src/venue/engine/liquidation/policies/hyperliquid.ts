import { LIQUIDATION_STAGE } from "../../../../protocol/events.ts";
import { getBankruptcyLimit, sendStepOrder } from "../bookOrder.ts";
import { closeAtMark, deleverageAtPreviousMark } from "../deleverage.ts";
import { isGone, isTakeable } from "../distress.ts";
import { isCooling, startChunk } from "../pacing.ts";
import { enterStage } from "../stages.ts";
import { takeOver } from "../takeover.ts";
import type { LiquidationPolicy } from "./definePolicy.ts";

/**
 * As Hyperliquid does (its documentation of liquidations and auto-deleveraging). Against `perplab`:
 *
 * - The order goes to the book without a fee and down to the bankruptcy price; there it has no limit at all. A venue
 *   that sends an order without a limit sells at any price: the bankruptcy price is used instead.
 * - Above `liquidationWhole` a fifth goes first; for the 30 s after it, orders are for all of the position.
 * - Below two thirds of maintenance the backstop takes all that it can instead, with the margin that is left.
 * - With equity below zero, deleveraging at the mark of the block before, by (mark / entry)^side * notional / equity.
 *   The fund pays for nothing; what deleveraging leaves of the deficit is shared.
 */
export const hyperliquid: LiquidationPolicy = {
  waits: false,
  insuresDeficit: false,

  close(state, marginAccount, part) {
    const { positions } = state;
    const { position } = part;
    const rules = state.parameters[part.market]!;
    if (!isGone(state, marginAccount, 0)) {
      if (isTakeable(state, marginAccount) && takeOver(state, marginAccount, part)) return;
      const whole = isCooling(state, position) || part.notional <= BigInt(rules.liquidationWhole);
      const lots = startChunk(state, position, whole);
      enterStage(state, marginAccount, part, LIQUIDATION_STAGE.bookClosing);
      sendStepOrder(state, marginAccount, part, {
        lots,
        limit: getBankruptcyLimit(state, part),
        insured: false,
        fee: 0,
      });
      return;
    }
    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.deleveraging);
    deleverageAtPreviousMark(state, marginAccount, part);
    if (positions.signedLots[position] !== 0) closeAtMark(state, marginAccount, part);
  },
};
