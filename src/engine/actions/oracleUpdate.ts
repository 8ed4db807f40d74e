import type { Ppb, PriceE8, TimeMs } from "../../math/fixed.ts";
import type { MarketRow } from "../state/schema.ts";
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
    if (price === 0 && mark === 0 && !settleFunding) return reject("NOTHING_TO_DO");
    const most = state.parameters[market]!.priceMost;
    if (price > most || mark > most) return reject("NUMERIC_LIMIT", { price, mark, most });
    return { rejected: false, market, price, mark, rate: fundingRate, settle: settleFunding };
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
