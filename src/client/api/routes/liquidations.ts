import { Type } from "typebox";
import { LIQUIDATION_STAGES } from "../../../protocol/events.ts";
import { defineRoute } from "../route.ts";
import { marketParam, paged, pageQuery, single, word } from "../schemas/common.ts";
import { InsuranceChange, InsuranceFund, Liquidation } from "../schemas/liquidations.ts";

export const liquidationRoutes = {
  listLiquidations: defineRoute({
    method: "GET",
    path: "/liquidations",
    tag: "liquidations",
    summary: "Liquidation history, newest first",
    description: "Where accounts are read by session: those of the reader.",
    query: Type.Object({
      market: Type.Optional(marketParam),
      stage: Type.Optional(word(LIQUIDATION_STAGES, "Only records in this stage.")),
      ...pageQuery,
    }),
    responses: { 200: paged(Liquidation) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
  getLiquidation: defineRoute({
    method: "GET",
    path: "/liquidations/{id}",
    tag: "liquidations",
    summary: "Liquidation detail",
    description: "Where accounts are read by session: for its account.",
    params: Type.Object({
      id: Type.String({ pattern: "^L-(0|[1-9][0-9]{0,10})-(0|[1-9][0-9]{0,4})$", description: "`L-<height>-<n>`." }),
    }),
    responses: { 200: single(Liquidation) },
    problems: ["SESSION_REQUIRED", "NOT_FOUND"],
    weight: 2,
  }),
  getInsuranceFund: defineRoute({
    method: "GET",
    path: "/insurance-fund",
    tag: "liquidations",
    summary: "Insurance-fund state",
    responses: { 200: single(InsuranceFund) },
    weight: 1,
  }),
  listInsuranceHistory: defineRoute({
    method: "GET",
    path: "/insurance-fund/history",
    tag: "liquidations",
    summary: "Insurance-fund history, newest first",
    description: "Where accounts are read by session: `account` is null for other readers.",
    query: Type.Object(pageQuery),
    responses: { 200: paged(InsuranceChange) },
    problems: ["SESSION_REQUIRED", "CURSOR_INVALIDATED"],
    weight: 5,
  }),
} as const;
