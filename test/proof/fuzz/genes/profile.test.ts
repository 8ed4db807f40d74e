import { describe, expect, test } from "vitest";
import { formatDecimal } from "../../../../src/ground/math/decimal.ts";
import { Random } from "../../../../src/ground/math/random.ts";
import { addressOf } from "../../../../src/proof/fuzz/genes/addresses.ts";
import { PROFILE_WIDTH, readProfile } from "../../../../src/proof/fuzz/genes/profile.ts";
import { isParameterFault } from "../../../../src/protocol/parameterFault.ts";
import { PARAMETER_RANGES } from "../../../../src/protocol/parameterRanges.ts";
import { marketParameters } from "../../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../../src/protocol/readParameters.ts";

const PROFILES = 600;
const random = Random.ofSeed([5, 6, 7, 8]);
const profiles = Array.from({ length: PROFILES }, () =>
  readProfile(Uint16Array.from({ length: PROFILE_WIDTH }, () => random.below(65_536))),
);
const markets = profiles.flatMap((profile) =>
  profile.markets.map(({ preset, parameters }) => {
    const read = readMarketParameters(preset, parameters);
    if (isParameterFault(read)) throw new Error(`${read.parameter} ${read.reason}`);
    return read;
  }),
);
const wordsOf = (address: string) => address.slice(2).match(/.{8}/g)!;
const differing = (one: string, other: string) =>
  wordsOf(one).flatMap((word, place) => (word === wordsOf(other)[place] ? [] : [place]));

describe("addresses of cases", () => {
  test("differ from the next one in one word, each in turn", () => {
    const places = Array.from({ length: 10 }, (_, index) => differing(addressOf(index), addressOf(index + 1)));
    expect(places).toEqual([[0], [1], [2], [3], [4], [0], [1], [2], [3], [4]]);
  });

  test("are all different, use every word, and its sign", () => {
    const list = Array.from({ length: 40_000 }, (_, index) => addressOf(index));
    expect(new Set(list).size).toBe(list.length);
    for (let place = 0; place < 5; place++) {
      const tops = new Set(list.slice(0, 30).map((address) => Number(`0x${wordsOf(address)[place]}`) >= 2 ** 31));
      expect(tops).toEqual(new Set([true, false]));
    }
  });

  test("give an owner a neighbour among owners, strangers and agents in every word", () => {
    const kinds = { owner: new Set<number>(), stranger: new Set<number>(), agent: new Set<number>() };
    for (const { genesis, strangers, agentAddresses } of profiles) {
      const owners = genesis.accounts.filter(({ role }) => role !== "house").map(({ address }) => address);
      const near = (others: readonly string[]) =>
        owners.flatMap((owner) => others.map((other) => differing(owner, other)).filter(({ length }) => length === 1));
      for (const [place] of near(owners)) kinds.owner.add(place!);
      for (const [place] of near(strangers.map(({ address }) => address))) kinds.stranger.add(place!);
      for (const [place] of near(agentAddresses)) kinds.agent.add(place!);
      // All addresses are distinct, except an owner's own other subaccount.
      expect(new Set([...owners, ...agentAddresses, strangers[0]!.address, strangers[1]!.address]).size).toBe(
        new Set(owners).size + 5,
      );
    }
    for (const kind of Object.values(kinds)) expect([...kind].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("markets of cases", () => {
  test("leave no parameter at one value", () => {
    const constant = Object.keys(marketParameters).filter(
      (name) => new Set(markets.map((market) => JSON.stringify(market[name as "status"]))).size === 1,
    );
    expect(constant).toEqual([]);
  });

  test("have lots with a numerator, lots without a denominator, and prices that the numerator alone bounds", () => {
    const share = (is: (market: (typeof markets)[number]) => boolean) => markets.filter(is).length / markets.length;
    expect(share(({ lotNumerator }) => lotNumerator > 1)).toBeGreaterThan(0.2);
    expect(share(({ lotDenominator }) => lotDenominator === 1)).toBeGreaterThan(0.05);
    const byNumerator = share(
      ({ lotNumerator, priceMost }) => lotNumerator > 1 && priceMost === Math.floor(9e15 / lotNumerator),
    );
    expect(byNumerator).toBeGreaterThan(0.02);
  });

  test("have rebates up to the taker fee, also at its greatest", () => {
    const full = markets.filter(({ takerFee, makerFee }) => takerFee > 0 && makerFee === -takerFee);
    expect(full.length / markets.length).toBeGreaterThan(0.1);
    expect(full.some(({ takerFee }) => takerFee === 999_999)).toBe(true);
  });

  // Sizes depend on lot and price. Rules between parameters keep a few other ends out of a market: so many sources,
  // such a clamp.
  test("have nearly every parameter at both ends of its range", () => {
    const given = profiles.flatMap((profile) => profile.markets.map(({ parameters }) => parameters));
    const missing = [...PARAMETER_RANGES].flatMap(([parameter, { words, decimals, least, most }]) =>
      words.length > 0 || parameter === "tickSize" || /Size$|Limit$/.test(parameter)
        ? []
        : [least, most]
            .map((end) => formatDecimal(end, decimals))
            .filter((text) => !given.some((texts) => texts[parameter] === text))
            .map((text) => `${parameter}=${text}`),
    );
    expect(missing.length, missing.join(" ")).toBeLessThan(12);
  });

  test("have tiers whose margin is rounded, and tiers close together", () => {
    const restOf = ({ tiers }: (typeof markets)[number]) =>
      tiers.some(({ from, maintenanceRate }) => (from * maintenanceRate) % 1e6 !== 0);
    expect(markets.some(restOf)).toBe(true);
    expect(markets.some(({ tiers }) => tiers.length === 12)).toBe(true);
    expect(markets.some(({ tiers }) => tiers[1]?.from === 1000e6 && tiers[2]?.from === 1000e6 + 1)).toBe(true);
  });
});
