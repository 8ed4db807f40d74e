import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { findMarket, createMarket as openMarket } from "../market/createMarket.ts";
import { readParameters } from "../market/parameters.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Named parameters as texts; undefined if a name occurs twice (ACT-3). */
export function readNamed(
  parameters: readonly { readonly name: string; readonly value: string }[],
): ParameterTexts | undefined {
  const texts = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
  return Object.keys(texts).length === parameters.length ? texts : undefined;
}

/** A market starts as `initializing`, `postOnly` or `active` (MKT). */
const apply: Handler<"createMarket"> = (state, _context, payload) => {
  if (findMarket(state, payload.market) !== undefined) return rejected("MARKET_EXISTS");
  const named = readNamed(payload.parameters);
  const parameters = named === undefined ? undefined : readParameters(payload.preset, named);
  if (parameters === undefined) return rejected("PARAMETER_INVALID");
  if (!["initializing", "postOnly", "active"].includes(parameters.status)) return rejected("STATUS_NOT_REACHABLE");
  openMarket(state, payload.market, parameters);
  return APPLIED;
};

export const createMarket: ModelAction<"createMarket"> = { domain: "system", authority: "operator", apply };
