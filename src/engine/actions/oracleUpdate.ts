import { PPB, type Ppb, type PriceE8, type TimeMs } from "../../math/fixed.ts";
import { allowsFunding } from "../../protocol/lifecycle.ts";
import { FUNDING_METHOD, MARK_METHOD } from "../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";

interface OracleUpdatePlan extends Plan {
  readonly market: MarketRow;
  readonly price: PriceE8;
  readonly mark: PriceE8;
  readonly rate: Ppb;
  readonly settle: boolean;
}

/** Takes reported prices in; index and mark move in the block's second step (PRC-1). Zero means not reported. */
export const handleOracleUpdate = defineHandler<"oracleUpdate">("oracleUpdate")<OracleUpdatePlan>({
  check(state, _context, { market: name, price, mark, fundingRate, settleFunding }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND");
    const settle = settleFunding && paysReported(state, market, price, mark);
    if (price === 0 && mark === 0 && !settle) return reject("NOTHING_TO_DO");
    const most = state.parameters[market]!.priceMost;
    if (price > most || mark > most) return reject("NUMERIC_LIMIT", { price, mark, most });
    if (settle && Math.abs(fundingRate) > PPB) return reject("NUMERIC_LIMIT", { rate: fundingRate, most: PPB });
    return { rejected: false, market, price, mark, rate: fundingRate, settle };
  },

  apply(state, _context, { market, price, mark, rate, settle }) {
    const { markets } = state;
    if (price !== 0) {
      markets.oracle[market] = price;
      markets.oracleTime[market] = state.timeMs as TimeMs;
    }
    if (mark !== 0) markets.external[market] = mark;
    if (settle) {
      markets.reportedRate[market] = rate;
      markets.settleReported[market] = 1;
    }
    state.events.oracleUpdated({
      market,
      price,
      external: mark,
      rate: settle ? rate : 0,
      settle: settle ? 1 : 0,
      timeMs: state.timeMs,
    });
  },
});

/** Whether a reported rate is paid in this block: the market takes reported rates, and has or now gets an index. */
function paysReported(state: State, market: MarketRow, price: number, mark: number): boolean {
  const { markets } = state;
  const rules = state.parameters[market]!;
  if (rules.fundingMethod !== FUNDING_METHOD.external || !allowsFunding(rules)) return false;
  if (markets.index[market] !== 0 || markets.oracle[market] !== 0 || price !== 0) return true;
  return rules.markMethod === MARK_METHOD.external && (markets.external[market] !== 0 || mark !== 0);
}
