import { NONE } from "../../../ground/collections/table.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { computeFree, measure } from "../../../venue/engine/margin/health.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { formatAmount } from "../../../venue/formulas/text.ts";
import { getText, type MapCell } from "../parse/cell.ts";

/**
 * The amount that `all` means, as decimal text: the collateral of an isolated position that is to be taken out of it;
 * in any other action what is free to leave the account (MRG-5). Read before the block, at least 0.
 */
export function readAll(
  state: State,
  key: AccountKey,
  action: ActionName,
  payload: MapCell,
  onlyMarket: string | undefined,
): string {
  const account = findAccount(state, key);
  if (account === NONE) return "0";
  if (action === "adjustIsolatedMargin" && getText(payload, "direction") === "remove") {
    const market = state.marketRows.get(getText(payload, "market") ?? onlyMarket ?? "");
    const position = market === undefined ? NONE : getPosition(state, account, market);
    if (position === NONE || state.positions.mode[position as never] !== MARGIN_MODE.isolated) return "0";
    return formatAmount(state.positions.isolated[position as never]!);
  }
  const free = computeFree(state.accounts.collateral[account]!, measure(state, account));
  return formatAmount(Math.max(0, free));
}
