import type { MarketRow } from "../../engine/state/schema.ts";
import { movePrice, oraclePayload } from "../../generators/flowSystem.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import type { Desk } from "./desk.ts";

/** The world's price of a market moves, and the oracle says so. */
export function drawPrice(desk: Desk): Payloads["oracleUpdate"] {
  const { choices, prices } = desk;
  const path = prices[desk.market % prices.length]!;
  const still = !choices.chance(1, 2);
  if (!still) movePrice(choices, path, choices.chance(1, 10));
  return reportPrice(desk, (desk.market % prices.length) as MarketRow);
}

/** A report of the world's price by all that report. */
export function reportPrice(desk: Desk, place: number): Payloads["oracleUpdate"] {
  const { market, price } = desk.prices[place]!;
  const row = desk.state.marketRows.get(market.name);
  const sources = row === undefined ? [] : desk.state.parameters[row]!.sources;
  const reports = sources.map(({ name }) => ({ source: name, price, confidence: 0, time: 0 }));
  const mark = market.external ? price : 0;
  const payload = oraclePayload(market.name, sources.length === 0 ? price : 0, mark, 0, false);
  return { ...payload, sources: reports } as unknown as Payloads["oracleUpdate"];
}
