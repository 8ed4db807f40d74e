import type { ParameterTexts } from "../../protocol/parameters.ts";
import { createMarket, findMarket } from "../market/createMarket.ts";
import { readParameters } from "../market/parameters.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { Handler } from "./handler.ts";

/** Named parameters as texts; undefined where one is named twice. */
export function readNamed(parameters: readonly { readonly name: string; readonly value: string }[]): ParameterTexts {
  return Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
}

/** A market starts as `initializing`, `postOnly` or `active` (MKT). */
export const applyCreateMarket: Handler<"createMarket"> = (state, _context, payload) => {
  if (findMarket(state, payload.market) !== undefined) return rejected("MARKET_EXISTS");
  const parameters = readParameters(payload.preset, readNamed(payload.parameters));
  if (parameters === undefined) return rejected("PARAMETER_INVALID");
  if (!["initializing", "postOnly", "active"].includes(parameters.status)) return rejected("STATUS_NOT_REACHABLE");
  createMarket(state, payload.market, parameters);
  return APPLIED;
};
