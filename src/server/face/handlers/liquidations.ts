import { LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { liquidationOf } from "../../../protocol/liquidationId.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { addressOf } from "../../../venue/reads/rows.ts";
import { notFound } from "../problems/problems.ts";
import { forReader, readReader, requireSeen } from "../services/access.ts";
import { viewInsuranceChange, viewInsuranceFund, viewLiquidationFor } from "../views/liquidations.ts";
import type { HandlersOf } from "./handler.ts";
import { answerList, openList } from "./lists.ts";
import { findMarket } from "./markets.ts";

export const liquidationHandlers = {
  listLiquidations: (services, call) => {
    const { liquidations, state, ...scope } = services.history.read();
    const { query } = call;
    const reader = readReader(services, call.headers);
    const market = query.market === undefined ? undefined : findMarket(state, query.market);
    const stage = query.stage === undefined ? undefined : LIQUIDATION_STAGES.indexOf(query.stage);
    const page = openList(services, call, scope);
    const list = [...liquidations.newestFirst()].filter(
      (record) =>
        record.startedHeight <= page.pin &&
        reader.sees(addressOf(state, record.account as AccountRow)) &&
        (market === undefined || record.markets.has(market)) &&
        (stage === undefined || record.stage === stage),
    );
    const answer = answerList(
      page,
      scope.asOf,
      list,
      ({ id }) => [id],
      (record) => viewLiquidationFor(reader, state, record),
    );
    return { ...answer, ...forReader(reader) };
  },

  getLiquidation: (services, { params, headers }) => {
    const { liquidations, state, asOf } = services.history.read();
    const reader = readReader(services, headers);
    const [height, place] = params.id.slice(2).split("-").map(Number) as [number, number];
    const record = place > 65_535 ? undefined : liquidations.find(liquidationOf(height, place));
    const owner = record && [addressOf(state, record.account as AccountRow)];
    requireSeen(reader, owner, () => notFound("No liquidation of this id is kept."));
    return { status: 200, body: { data: viewLiquidationFor(reader, state, record!), asOf }, ...forReader(reader) };
  },

  getInsuranceFund: ({ history }) => {
    const { insurance, state, asOf } = history.read();
    return { status: 200, body: { data: viewInsuranceFund(state, insurance), asOf } };
  },

  listInsuranceHistory: (services, call) => {
    const { insurance, state, ...scope } = services.history.read();
    const reader = readReader(services, call.headers);
    const answer = answerList(
      openList(services, call, scope),
      scope.asOf,
      insurance.list.newestFirst(),
      ({ height, ordinal }) => [height, ordinal],
      (change) => viewInsuranceChange(state, insurance, change, reader),
    );
    return { ...answer, ...forReader(reader) };
  },
} satisfies HandlersOf<"listLiquidations" | "getLiquidation" | "getInsuranceFund" | "listInsuranceHistory">;
