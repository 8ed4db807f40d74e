import { PPB, type Ppb, type PriceE8, type TimeMs } from "../../../ground/math/fixed.ts";
import { actions, type Payloads } from "../../../protocol/actions/index.ts";
import { allowsFunding } from "../../../protocol/lifecycle.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { FUNDING_METHOD, FUNDING_METHODS, MARK_METHOD, MARK_METHODS } from "../../../protocol/words.ts";
import { FieldChecks } from "../handler/checkFields.ts";
import { defineHandler, type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { acceptPrice, keepReport, readSources, type SourceReport } from "../prices/oracle.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

const FIELDS = new FieldChecks(actions.oracleUpdate);
/** Words of the parameters that its rows read, by mark method and funding method. */
const METHODS = MARK_METHODS.map((markMethod) =>
  FUNDING_METHODS.map((fundingMethod) => ({ markMethod, fundingMethod })),
);
const NO_REPORTS: readonly SourceReport[] = [];

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
  check(state, _context, payload) {
    const { market: name, price, sources, mark, fundingRate, settleFunding } = payload;
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const rules = state.parameters[market]!;
    // A plain price has no source, so it would bypass the quorum of a market with sources.
    if (price !== 0 && rules.sources.length > 0) return reject("SOURCE_NOT_FOUND", { source: "" });
    const reports = sources.length === 0 ? NO_REPORTS : readReports(rules, sources);
    if (isRejection(reports)) return reports;
    const refused = FIELDS.refuse(payload, METHODS[rules.markMethod]![rules.fundingMethod]) ?? checkTwice(sources);
    if (refused !== undefined) return refused;
    const settle = settleFunding && paysReported(state, market, price, mark);
    if (price === 0 && mark === 0 && !settle && reports.length === 0) return reject("NOTHING_TO_DO", { market: name });
    const most = rules.priceMost;
    const largest = reports.length === 0 ? price : findLargest(price, reports);
    if (largest > most || mark > most) return reject("NUMERIC_LIMIT", { price: largest, mark, most });
    if (settle && Math.abs(fundingRate) > PPB) return reject("NUMERIC_LIMIT", { rate: fundingRate, most: PPB });
    if (reports.length > 0 && reports.some((report) => report.price === 0)) {
      return reject("PRICE_NOT_VALID", { market: name, validity: "nonPositive" });
    }
    return { rejected: false, market, price, reports, mark, rate: fundingRate, settle };
  },

  apply(state, _context, { market, price, reports, mark, rate, settle }) {
    const { markets } = state;
    const taken = reports.length === 0 ? takePrice(state, market, price, 0) : takeReports(state, market, reports);
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

function readReports(
  { sources: known }: MarketParameters,
  sources: Payloads["oracleUpdate"]["sources"],
): readonly SourceReport[] | Rejection {
  const reports: SourceReport[] = [];
  for (const { source, price, confidence, time } of sources) {
    const place = known.findIndex(({ name }) => name === source);
    if (place < 0) return reject("SOURCE_NOT_FOUND", { source });
    reports.push({ place, price, confidence, timeMs: time });
  }
  return reports;
}

function isRejection(reports: readonly SourceReport[] | Rejection): reports is Rejection {
  return !Array.isArray(reports);
}

function findLargest(price: number, reports: readonly SourceReport[]): number {
  let largest = price;
  for (const report of reports) largest = Math.max(largest, report.price, report.confidence);
  return largest;
}

/** Returns the price that the market takes, 0 for none. */
function takeReports(state: State, market: MarketRow, reports: readonly SourceReport[]): number {
  for (const report of reports) keepReport(state, market, report);
  const agreed = readSources(state, market);
  return agreed === undefined ? 0 : takePrice(state, market, agreed.price, agreed.confidence);
}

function takePrice(state: State, market: MarketRow, price: number, confidence: number): number {
  return price === 0 ? 0 : acceptPrice(state, market, price, confidence);
}

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
  if (sources.length < 2) return undefined;
  const reported = new Set<string>();
  for (const { source } of sources) {
    if (reported.has(source)) return reject("FIELD_REFUSED", { field: "sources", source });
    reported.add(source);
  }
  return undefined;
}
