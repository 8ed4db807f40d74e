import { LIQUIDATION_STAGES } from "../../protocol/events.ts";
import { liquidationOf } from "../../protocol/liquidationId.ts";
import type { HandlersOf } from "../handler.ts";
import { notFound } from "../problems.ts";
import { viewInsuranceChange, viewInsuranceFund, viewLiquidation } from "../views/liquidations.ts";
import { answerList, openList } from "./lists.ts";
import { findMarket } from "./markets.ts";

export const liquidationHandlers = {
  listLiquidations: (services, call) => {
    const { liquidations, state, ...scope } = services.history.read();
    const { query } = call;
    const market = query.market === undefined ? undefined : findMarket(state, query.market);
    const stage = query.stage === undefined ? undefined : LIQUIDATION_STAGES.indexOf(query.stage);
    const page = openList(services, call, scope);
    const list = [...liquidations.newestFirst()].filter(
      (record) =>
        record.startedHeight <= page.pin &&
        (market === undefined || record.markets.has(market)) &&
        (stage === undefined || record.stage === stage),
    );
    return answerList(
      page,
      scope.asOf,
      list,
      ({ id }) => [id],
      (record) => viewLiquidation(state, record),
    );
  },

  getLiquidation: ({ history }, { params }) => {
    const { liquidations, state, asOf } = history.read();
    const [height, place] = params.id.slice(2).split("-").map(Number) as [number, number];
    const record = liquidations.find(liquidationOf(height, place));
    if (record === undefined || place > 65_535) throw notFound("No liquidation of this id is kept.");
    return { status: 200, body: { data: viewLiquidation(state, record), asOf } };
  },

  getInsuranceFund: ({ history }) => {
    const { insurance, state, asOf } = history.read();
    return { status: 200, body: { data: viewInsuranceFund(state, insurance), asOf } };
  },

  listInsuranceHistory: (services, call) => {
    const { insurance, state, ...scope } = services.history.read();
    return answerList(
      openList(services, call, scope),
      scope.asOf,
      insurance.list.newestFirst(),
      ({ height, ordinal }) => [height, ordinal],
      (change) => viewInsuranceChange(state, insurance, change),
    );
  },
} satisfies HandlersOf<"listLiquidations" | "getLiquidation" | "getInsuranceFund" | "listInsuranceHistory">;
