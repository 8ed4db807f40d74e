import type { MarketParameters } from "../../protocol/parameters.ts";
import { FUNDING_METHOD, MARK_METHOD, MARKET_STATUS } from "../../protocol/words.ts";
import type { MarketRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";

/**
 * Whether blocks change the venue's markets only by what they report: marks and funding as recorded, no gaps by time,
 * and no account that takes positions over and unwinds them. Else every instant needs its block: a clamp, an average or
 * a sample is taken once a block.
 */
export function isAsRecorded(state: State): boolean {
  if (state.backstops.length !== 0) return false;
  for (const rules of state.parameters) if (!isRecorded(rules)) return false;
  return true;
}

function isRecorded({ markMethod, fundingMethod, blockGap, sources, status }: MarketParameters): boolean {
  return (
    markMethod === MARK_METHOD.reported &&
    fundingMethod === FUNDING_METHOD.reported &&
    blockGap === 0 &&
    sources.length === 0 &&
    status === MARKET_STATUS.active
  );
}

/**
 * Whether something in the venue waits for a time that any block may bring: an order or grant that expires. Intents are
 * the account's.
 */
export function isWaiting({ expiries, authorizations, markets }: State): boolean {
  if (authorizations.rows.count !== 0) return true;
  if (expiries.byHeight.size !== 0 || expiries.byTime.size !== 0 || expiries.cancels.size !== 0) return true;
  for (let market = 0 as MarketRow; market < markets.rows.high; market++)
    if (markets.fundingDue[market] !== 0) return true;
  return false;
}
