import { LIQUIDATION_STAGE } from "../../../../protocol/events.ts";
import type { State } from "../../state/state.ts";
import { getFillableLimit, sendStepOrder } from "../bookOrder.ts";
import { deleverage } from "../deleverage.ts";
import { isGone } from "../distress.ts";
import type { MarginAccount, MarginAccountPosition } from "../liquidatedAccount.ts";
import { enterStage } from "../stages.ts";
import type { LiquidationPolicy } from "./definePolicy.ts";

/** Liquidations of dYdX v4's mainnet genesis, quote units and ppm. */
const POSITION_LEAST = 1_000_000_000n;
const POSITION_SHARE = 100_000n;
const ACCOUNT_MOST = 100_000_000_000n;
const FEE_MOST = 15_000;
const MILLION = 1_000_000n;

/**
 * As dYdX v4 does (x/clob of v4-chain, parameters of mainnet's genesis). Against `perplab`:
 *
 * - A tenth of a position a block, at least 1,000 USD of it, and at most 100,000 USD of an account; no cooldown.
 * - The limit is the fillable price alone, also where it lies beyond the bankruptcy price: there the fund pays, within
 *   its caps, whatever equity is left.
 * - The fee is at most 1.5 % of the fill, and never beyond the bankruptcy price.
 * - No backstop. With equity below zero, what the fund cannot pay for is deleveraged at the bankruptcy price against
 *   accounts that are no worse for it, in an order that starts at another place every block. What no account can take
 *   stays open.
 */
export const dydx: LiquidationPolicy = {
  waits: false,
  insuresDeficit: true,

  close(state, marginAccount, part) {
    const { positions } = state;
    const gone = isGone(state, marginAccount, 0);
    const lots = getLots(state, marginAccount, part);
    if (lots > 0) {
      enterStage(state, marginAccount, part, LIQUIDATION_STAGE.bookClosing);
      const limit = getFillableLimit(state, marginAccount, part);
      sendStepOrder(state, marginAccount, part, { lots, limit, insured: true, fee: FEE_MOST });
    }
    if (positions.signedLots[part.position] === 0 || !gone) return;
    enterStage(state, marginAccount, part, LIQUIDATION_STAGE.deleveraging);
    deleverage(state, marginAccount, part);
  },
};

/**
 * Lots for this block, rounded down to what the account may still be sold of; at least one of a position's first order.
 */
function getLots(state: State, marginAccount: MarginAccount, part: MarginAccountPosition): number {
  const open = Math.abs(state.positions.signedLots[part.position]);
  const share = (part.notional * POSITION_SHARE) / MILLION;
  const own = share > POSITION_LEAST ? share : POSITION_LEAST;
  const left = ACCOUNT_MOST - marginAccount.sent;
  const target = own < left ? own : left;
  if (target <= 0n) return 0;
  const lots = part.notional <= target ? BigInt(open) : (BigInt(open) * target) / part.notional;
  const taken = lots === 0n && marginAccount.sent === 0n ? 1n : lots;
  marginAccount.sent += (part.notional * taken + BigInt(open) - 1n) / BigInt(open);
  return Number(taken);
}
