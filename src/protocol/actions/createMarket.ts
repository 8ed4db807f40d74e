import { defineAction } from "../action.ts";
import { list, market, optionalText, record, text } from "../fields.ts";

/** One parameter of a market by name, as text. */
export const marketParameter = record(
  "Parameter",
  {
    name: text("Name, as in the table of parameters."),
    value: optionalText("Value as text; empty removes a tier."),
  },
  "One parameter of a market by name, as text.",
);

/** Creates a market from a preset and named parameters. */
export const createMarket = defineAction({
  name: "createMarket",
  code: 13,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Creates a market from a preset and named parameters.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 6,
  fields: {
    market: market("Name of the new market."),
    preset: text("Name of the preset of the parameters that are not listed."),
    parameters: list(marketParameter, 100, "Parameters that differ from the preset."),
  },
});
