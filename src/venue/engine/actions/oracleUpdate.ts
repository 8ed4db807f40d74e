import { PPB, type Ppb, type PriceE8, type TimeMs } from "../../../ground/math/fixed.ts";
import { actions } from "../../../protocol/actions/index.ts";
import { allowsFunding } from "../../../protocol/lifecycle.ts";
import { FUNDING_METHOD, FUNDING_METHODS, MARK_METHOD, MARK_METHODS } from "../../../protocol/words.ts";
import { FieldChecks } from "../handler/checkFields.ts";
import { defineHandler, type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { acceptPrice, keepReport, readSources, type SourceReport } from "../prices/oracle.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

const FIELDS = new FieldChecks(actions.oracleUpdate);

interface OracleUpdatePlan extends Plan {
  readonly market: MarketRow;
  readonly price: PriceE8;
  readonly reports: readonly SourceReport[];
  readonly mark: PriceE8;
  readonly rate: Ppb;
  readonly settle: boolean;
}

/** Takes reported prices in; index and mark move in the block's second step (PRC-1). Zero means not reported. */
export const handleOracleUpdate = defineHandler<"oracleUpdate">("oracleUpdate")<OracleUpdatePlan>({
  check(state, _context, { market: name, price, sources, mark, fundingRate, settleFunding }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const rules = state.parameters[market]!;
    // A plain price has no source, so it would bypass the quorum of a market with sources.
    if (price !== 0 && rules.sources.length > 0) return reject("SOURCE_NOT_FOUND", { source: "" });
    const reports: SourceReport[] = [];
    for (let at = 0; at < sources.length; at++) {
      const { source, price: reported, confidence, time } = sources[at]!;
      const place = rules.sources.findIndex((known) => known.name === source);
      if (place < 0) return reject("SOURCE_NOT_FOUND", { source });
      reports.push({ place, price: reported, confidence, timeMs: time });
    }
    const refused =
      FIELDS.refuse(
        { mark, fundingRate, settleFunding },
        { markMethod: MARK_METHODS[rules.markMethod]!, fundingMethod: FUNDING_METHODS[rules.fundingMethod]! },
      ) ?? checkTwice(sources);
    if (refused !== undefined) return refused;
    const settle = settleFunding && paysReported(state, market, price, mark);
    if (price === 0 && mark === 0 && !settle && reports.length === 0) return reject("NOTHING_TO_DO", { market: name });
    const most = rules.priceMost;
    const largest = reports.reduce<number>((found, report) => Math.max(found, report.price, report.confidence), price);
    if (largest > most || mark > most) return reject("NUMERIC_LIMIT", { price: largest, mark, most });
    if (settle && Math.abs(fundingRate) > PPB) return reject("NUMERIC_LIMIT", { rate: fundingRate, most: PPB });
    if (reports.some((report) => report.price === 0)) {
      return reject("PRICE_NOT_VALID", { market: name, validity: "nonPositive" });
    }
    return { rejected: false, market, price, reports, mark, rate: fundingRate, settle };
  },

  apply(state, _context, { market, price, reports, mark, rate, settle }) {
    const { markets } = state;
    for (const report of reports) keepReport(state, market, report);
    const agreed = reports.length === 0 ? { price, confidence: 0 } : readSources(state, market);
    const taken =
      agreed === undefined || agreed.price === 0 ? 0 : acceptPrice(state, market, agreed.price, agreed.confidence);
    if (mark !== 0) {
      markets.reported[market] = mark;
      markets.reportedTime[market] = state.timeMs as TimeMs;
    }
    if (settle) {
      markets.reportedRate[market] = rate;
      markets.settleReported[market] = 1;
    }
    state.events.oracleUpdated({
      market,
      price: taken,
      confidence: taken === 0 ? 0 : markets.oracleConfidence[market],
      candidate: markets.candidate[market],
      confirmations: markets.confirmations[market],
      reported: mark,
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
  if (rules.fundingMethod !== FUNDING_METHOD.reported || !allowsFunding(rules)) return false;
  if (markets.index[market] !== 0 || markets.oracle[market] !== 0 || price !== 0) return true;
  return rules.markMethod === MARK_METHOD.reported && (markets.reported[market] !== 0 || mark !== 0);
}

/** A source reports once in an update. */
function checkTwice(sources: readonly { readonly source: string }[]): Rejection | undefined {
  const twice = sources.find(({ source }, at) => sources.findIndex((other) => other.source === source) !== at);
  return twice === undefined ? undefined : reject("FIELD_REFUSED", { field: "sources", source: twice.source });
}
