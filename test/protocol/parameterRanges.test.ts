import { expect, test } from "vitest";
import { LIMIT } from "../../src/ground/math/fixed.ts";
import { PARAMETER_EDGES } from "../../src/proof/fuzz/genes/parameterEdges.ts";
import { isParameterFault } from "../../src/protocol/parameterFault.ts";
import { PARAMETER_RANGES } from "../../src/protocol/parameterRanges.ts";
import { PARAMETER_RULES } from "../../src/protocol/parameterRules.ts";
import { marketParameters } from "../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../src/protocol/readParameters.ts";

const SENTENCES: readonly string[] = PARAMETER_RULES.map(({ sentence }) => sentence);

test("every parameter but the sources has a range, and every range but the grid is drawn", () => {
  const names = Object.keys(marketParameters).filter((name) => name !== "sources");
  expect([...PARAMETER_RANGES.keys()]).toEqual(names);
  const drawn = names.filter((name) => name !== "tickSize" && name !== "lotSize");
  expect(PARAMETER_EDGES.map(({ parameter }) => parameter)).toEqual(drawn);
});

// Goal: range, check and search agree. Method: read each edge; inside, only a rule between parameters may refuse it.
test("both ends of each range are accepted, and values beyond them are refused by name", () => {
  for (const { parameter, inside, outside } of PARAMETER_EDGES) {
    for (const text of inside) {
      const read = readMarketParameters("linear", { [parameter]: text });
      if (isParameterFault(read)) expect(SENTENCES, `${parameter}=${text}: ${read.reason}`).toContain(read.reason);
    }
    for (const text of outside) {
      const read = readMarketParameters("linear", { [parameter]: text });
      expect(isParameterFault(read) && read.parameter, `${parameter}=${text}`).toBe(parameter);
      if (isParameterFault(read)) expect(SENTENCES).not.toContain(read.reason);
    }
  }
});

test("both ends are drawn", () => {
  for (const { parameter, inside } of PARAMETER_EDGES) {
    const { words, decimals, least, most } = PARAMETER_RANGES.get(parameter)!;
    if (words.length > 0) continue;
    const units = inside.map((text) => Math.round(Number(text) * 10 ** decimals));
    expect(units, parameter).toContain(least);
    expect(units, parameter).toContain(most);
    if (most === LIMIT) expect(units.length, parameter).toBeGreaterThanOrEqual(4);
  }
});

test("each rule between parameters refuses, and names its parameter", () => {
  const broken: [Record<string, string>, string][] = [
    [{ tickSize: "0.00000001", lotSize: "0.00000001", minSize: "0.00000001" }, "lotSize"],
    [{ tickSize: "1000.1", lotSize: "1" }, "lotSize"],
    [{ maxSize: "0.00009999" }, "maxSize"],
    [{ positionLimit: "0" }, "positionLimit"],
    [{ openInterestLimit: "0" }, "openInterestLimit"],
    [{ sources: "a:1 b:0", minSources: "2" }, "minSources"],
    [{ markClamp: "0" }, "markClamp"],
    [{ markClamp: "0.0105" }, "markClamp"],
    [{ openInterestLower: "2", openInterestUpper: "2" }, "openInterestUpper"],
    [{ takerFee: "0.001", makerFee: "-0.001001" }, "makerFee"],
    [{ insuranceSlippage: "0.0125" }, "insuranceSlippage"],
  ];
  const seen = new Set<string>();
  for (const [texts, parameter] of broken) {
    const read = readMarketParameters("linear", texts);
    expect(read, JSON.stringify(texts)).toMatchObject({ parameter });
    if (isParameterFault(read)) seen.add(read.reason);
  }
  expect([...seen].sort()).toEqual([...SENTENCES].sort());
});

test("tiers are refused where rounding leaves maintenance margin no lower than initial margin at a bound", () => {
  for (const initialMarginMethod of ["continuous", "stepped"]) {
    const read = (tier2: string) => readMarketParameters("minimal", { initialMarginMethod, tier2 });
    for (const tier2 of ["0.000001 0.2 0.1", "0.000003 0.100001 0.1"])
      expect(read(tier2), tier2).toMatchObject({ parameter: "tier2" });
    expect(isParameterFault(read("0.0001 0.2 0.1"))).toBe(false);
    expect(isParameterFault(read("9000000000 1 0.999999"))).toBe(false);
  }
});
