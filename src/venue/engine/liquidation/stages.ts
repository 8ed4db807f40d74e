import { marginAccountMarket } from "../state/marginAccount.ts";
import type { State } from "../state/state.ts";
import { computeBankruptcyPrice } from "../valuation/bankruptcyValue.ts";
import { type MarginAccount, type MarginAccountPosition, toAmount } from "./liquidatedAccount.ts";

/**
 * Emits that a liquidation entered a stage in one of its markets, with the bankruptcy price and the cooldown for
 * readers.
 */
export function enterStage(
  state: State,
  marginAccount: MarginAccount,
  part: MarginAccountPosition,
  stage: number,
): void {
  state.events.liquidationStage({
    liquidation: marginAccount.id,
    account: marginAccount.account,
    stage,
    market: part.market,
    cooldownMs: state.positions.cooldown[part.position],
    bankruptcyPrice: toAmount(
      computeBankruptcyPrice(state.parameters[part.market]!, part.bankruptcy.total, part.signedLots),
    ),
    marginAccount: marginAccountMarket(state, marginAccount.isolated),
  });
}
