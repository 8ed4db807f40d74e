import { expect, test } from "vitest";
import { PARAMETER_EDGES } from "../../src/proof/fuzz/genes/parameterEdges.ts";
import { isParameterFault } from "../../src/protocol/parameterFault.ts";
import { type MarketParameters, marketParameters, type ParameterTexts } from "../../src/protocol/parameters.ts";
import { readDefinition, readMarketParameters } from "../../src/protocol/readParameters.ts";

const TIERS = { tier1: "0 0.04 0.02", tier2: "1000 0.05 0.025", tier3: "50000 0.1 0.06" };

function read(texts: ParameterTexts): MarketParameters {
  const parameters = readMarketParameters("linear", texts);
  if (isParameterFault(parameters)) throw new Error(`${parameters.parameter}: ${parameters.reason}`);
  return parameters;
}

/** Reads all texts of the market after an update, with none of its parameters before. */
function readWhole(before: MarketParameters, changes: ParameterTexts) {
  return readMarketParameters("linear", { tier2: "", ...readDefinition(before.definition), ...changes });
}

// Goal: values that an update takes over are those of their texts. Method: compare with reading all texts again.
test("an update leads to the same parameters, or the same fault, as reading the whole definition", () => {
  const before = read({ ...TIERS, sources: "a:2 b:1", markClamp: "0.002", feeTier1: "1000 0.0003 0.0001" });
  const edges = PARAMETER_EDGES.filter(
    ({ parameter }) => marketParameters[parameter as keyof typeof marketParameters].fixed !== true,
  ).flatMap(({ parameter, inside, outside }) => [...inside, ...outside].map((text) => ({ [parameter]: text })));
  const changes: readonly ParameterTexts[] = [
    ...edges,
    { tier3: "" },
    { tier2: "2000 0.06 0.03" },
    { tier2: "", tier3: "" },
    { tier2: "" },
    { tier4: "60000 0.2 0.1" },
    { initialMarginMethod: "stepped" },
    { initialMarginMethod: "stepped", tier2: "1000 0.06 0.03" },
    { sources: "a:0 b:1" },
    { feeTier1: "" },
    { feeTier2: "2000 0.0002 0" },
  ];
  let applied = 0;
  for (const change of changes) {
    const updated = readMarketParameters("", change, before);
    expect(updated, JSON.stringify(change)).toEqual(readWhole(before, change));
    if (isParameterFault(updated)) continue;
    applied++;
    const back = readMarketParameters("", { ...TIERS, tier4: "", initialMarginMethod: "continuous" }, updated);
    expect(back, JSON.stringify(change)).toEqual(
      readWhole(updated, { ...TIERS, tier4: "", initialMarginMethod: "continuous" }),
    );
  }
  expect(applied).toBeGreaterThan(100);
});
