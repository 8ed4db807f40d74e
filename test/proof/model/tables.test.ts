import { expect, test } from "vitest";
import { DEFAULT_TIERS, DEFAULTS, FIXED, PRESETS, SIGNED, WORDS } from "../../../src/proof/model/market/defaults.ts";
import { readParameters } from "../../../src/proof/model/market/parameters.ts";
import * as words from "../../../src/proof/model/words.ts";
import { LINEAR_TIERS, marketPresets } from "../../../src/protocol/marketPresets.ts";
import { isParameterFault } from "../../../src/protocol/parameterFault.ts";
import { marketParameters } from "../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../src/protocol/readParameters.ts";
import * as protocolWords from "../../../src/protocol/words.ts";

test("defaults and words of the model equal those of the protocol", () => {
  const entries = Object.entries(marketParameters) as [
    string,
    { kind: string; initial: string; words?: readonly string[] },
  ][];
  expect(DEFAULTS).toEqual(Object.fromEntries(entries.map(([name, { kind, initial }]) => [name, { kind, initial }])));
  expect(WORDS).toEqual(Object.fromEntries(entries.flatMap(([name, { words }]) => (words ? [[name, words]] : []))));
  expect(FIXED).toEqual(entries.filter(([, at]) => "fixed" in at).map(([name]) => name));
  expect(SIGNED).toEqual(entries.filter(([, at]) => "signed" in at).map(([name]) => name));
  expect(DEFAULT_TIERS).toEqual(LINEAR_TIERS);
});

/**
 * Where the model reads a preset otherwise than its definition, by `preset parameter`, and why. Both are written from
 * the rulebook and neither imports the other: a value that is wrong in one place is named here, or fails.
 */
const PRESET_DIFFERENCES: Readonly<Record<string, string>> = {};

test("the presets of the model are those of the protocol, but for the differences that have a reason", () => {
  const presets = [...new Set([...Object.keys(PRESETS), ...Object.keys(marketPresets)])];
  const found = presets.flatMap((preset) => {
    const model = PRESETS[preset] ?? {};
    const definition: Readonly<Record<string, string>> = marketPresets[preset] ?? {};
    if (PRESETS[preset] === undefined || marketPresets[preset] === undefined)
      return [`${preset} is in one of both only`];
    return [...new Set([...Object.keys(model), ...Object.keys(definition)])]
      .filter((name) => model[name] !== definition[name] && PRESET_DIFFERENCES[`${preset} ${name}`] === undefined)
      .map((name) => `${preset} ${name}: model ${model[name]}, definition ${definition[name]}`);
  });
  expect(found).toEqual([]);
  const stale = Object.keys(PRESET_DIFFERENCES).filter((place) => {
    const [preset, name] = place.split(" ") as [string, string];
    return PRESETS[preset]?.[name] === (marketPresets[preset] as Readonly<Record<string, string>>)?.[name];
  });
  expect(stale).toEqual([]);
});

test("words of the model have the same indexes as the protocol's", () => {
  const theirs = new Map<string, unknown>(Object.entries(protocolWords));
  const both = Object.entries(words).filter(([name]) => theirs.has(name));
  expect(both.length).toBeGreaterThan(8);
  for (const [name, list] of both) expect(list, name).toEqual(theirs.get(name));
});

// NUM-3: n of 3.33 is 333, of 9.99999999 it is 999,999,999; large lots are bound by the value of one lot.
test("the greatest price leaves room for a lot of any size, in the model, too", () => {
  const most: [string, string, number][] = [
    ["3.33", "1", Math.floor(9e15 / 333)],
    ["9.99999999", "100", Math.floor(9e15 / 999_999_999)],
    ["1000", "1", 2.25e14],
    ["100", "1", 2.25e15],
    ["0.01", "1", 9e15],
  ];
  for (const [lotSize, tickSize, expected] of most) {
    const texts = { lotSize, tickSize, positionLimit: lotSize, maxSize: "1000", openInterestLimit: "1000000" };
    expect(Number(readParameters("minimal", texts)?.priceMost), lotSize).toBe(expected);
    expect(readMarketParameters("minimal", texts)).toMatchObject({ priceMost: expected });
  }
});

// Goal: both readers refuse and accept the same definitions. Method: each parameter at awkward texts, in every preset.
test("the model reads and refuses definitions as the protocol does", () => {
  const texts = [
    "",
    "0",
    "1",
    "-1",
    "0.0001",
    "0.5",
    "1000000",
    "3.33",
    "2678400000",
    "2678400001",
    "on",
    "median",
    "a:1 b:0",
    "01",
    "0 0.1 0.05",
    "9000000000000000",
  ];
  const names = [...Object.keys(marketParameters), "tier1", "tier2", "tier3", "feeTier1", "feeTier2", "unknown"];
  for (const preset of [...Object.keys(marketPresets), "unknown"]) {
    for (const name of names) {
      for (const text of texts) {
        const theirs = readMarketParameters(preset, { [name]: text });
        const ours = readParameters(preset, { [name]: text });
        expect(ours === undefined, `${preset} ${name}=${text}`).toBe(isParameterFault(theirs));
        if (ours === undefined || isParameterFault(theirs)) continue;
        for (const key of [
          "priceMost",
          "minLots",
          "maxLots",
          "positionLimitLots",
          "tickLotValue",
          "leverageMax",
        ] as const)
          expect(Number(ours[key]), `${preset} ${name}=${text} ${key}`).toBe(theirs[key]);
        expect(ours.tiers.map(({ initialDeduction }) => Number(initialDeduction))).toEqual(
          theirs.tiers.map(({ initialDeduction }) => initialDeduction),
        );
      }
    }
  }
});
