import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { PARAMETER_EDGES } from "../../src/proof/fuzz/genes/parameterEdges.ts";
import { marketPresets } from "../../src/protocol/marketPresets.ts";
import { isParameterFault } from "../../src/protocol/parameterFault.ts";
import type { MarketParameters, ParameterTexts } from "../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../src/protocol/readParameters.ts";

setFlagsFromString("--allow-natives-syntax");
const hasSameLayout = runInThisContext("(a, b) => %HasFastProperties(a) && %HaveSameMap(a, b)") as (
  a: object,
  b: object,
) => boolean;
hasSameLayout({}, {}); // its body is parsed with the first call
setFlagsFromString("--no-allow-natives-syntax");

function read(preset: string, texts: ParameterTexts): MarketParameters[] {
  const found = readMarketParameters(preset, texts);
  return isParameterFault(found) ? [] : [found];
}

// Goal: code that reads parameters is compiled once, not again for each market with a larger number than any before.
// Method: markets of all presets, and with both ends of the range of each parameter.
test("parameters have one layout in memory, whatever their values", () => {
  const edges = PARAMETER_EDGES.flatMap(({ parameter, inside }) => inside.map((text) => ({ [parameter]: text })));
  const all = [
    ...Object.keys(marketPresets).flatMap((preset) => read(preset, {})),
    ...edges.flatMap((texts) => read("linear", texts)),
    ...read("linear", { feeTier1: "900000000 0.0001 0.0003", sources: "a:2 b:1" }),
  ];
  expect(all.length).toBeGreaterThan(edges.length / 2);
  const [first] = all as [MarketParameters];
  for (const parameters of all) {
    expect(hasSameLayout(parameters, first), parameters.definition).toBe(true);
    expect(Object.keys(parameters)).toEqual(Object.keys(first));
  }
  expect(hasSameLayout({ ...first }, { ...first, more: 1 })).toBe(false);
});
