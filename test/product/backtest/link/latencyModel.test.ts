import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { computeExp, drawNormal } from "../../../../src/product/backtest/link/distributions.ts";
import { type Latency, readLatency } from "../../../../src/product/backtest/link/latencyModel.ts";
import { computeNormalProbability } from "../../../../src/product/research/statistics/normal.ts";

const START = 1_700_000_000_000;

function drawAll(latency: Latency, count: number, seed = "1"): number[] {
  const at = readLatency("latency", latency).open(seed, "submit");
  return Array.from({ length: count }, (_, place) => at(START + 37 * place));
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Greatest distance between the shares of values up to each ms and those that the distribution gives. */
function distanceTo(values: readonly number[], probability: (most: number) => number): number {
  const sorted = values.toSorted((a, b) => a - b);
  let greatest = 0;
  for (const [place, value] of sorted.entries()) {
    // Of equal values the last has the share of all of them.
    if (sorted[place + 1] === value) continue;
    greatest = Math.max(greatest, Math.abs((place + 1) / sorted.length - probability(value)));
  }
  return greatest;
}

describe("distributions", () => {
  // The limit is that of Kolmogorov at about one in a million: 2.69 / sqrt(20000).
  const MOST = 0.019;

  test("a normal latency has the shares of its distribution, rounded to whole ms and not below 0", () => {
    const values = drawAll("normal(30,10)", 20_000);
    expect(distanceTo(values, (most) => computeNormalProbability((most + 0.5 - 30) / 10))).toBeLessThan(MOST);
    expect(Math.min(...drawAll("normal(1,50)", 2_000))).toBe(0);
  });

  test("a lognormal latency has the shares of its distribution", () => {
    const values = drawAll("lognormal(200,0.5)", 20_000);
    expect(distanceTo(values, (most) => computeNormalProbability(Math.log((most + 0.5) / 200) / 0.5))).toBeLessThan(
      MOST,
    );
  });

  test("a uniform latency has every whole ms of its range equally often", () => {
    const values = drawAll("uniform(5,14)", 20_000);
    const counts = Array.from({ length: 20 }, (_, ms) => values.filter((value) => value === ms).length);
    expect(counts.slice(0, 5).concat(counts.slice(15))).toEqual(Array.from({ length: 10 }, () => 0));
    for (const count of counts.slice(5, 15)) expect(Math.abs(count - 2_000)).toBeLessThan(250);
  });

  test("neighbouring times draw independently of each other", () => {
    const at = readLatency("latency", "uniform(0,1000)").open("1", "submit");
    const pairs = Array.from({ length: 5_000 }, (_, place) => [at(START + place) - 500, at(START + place + 1) - 500]);
    expect(Math.abs(meanOf(pairs.map(([a, b]) => a! * b!)) / 83_500)).toBeLessThan(0.07);
  });

  test("the exponential is that of the machine, to eleven digits", () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (value) => {
        expect(Math.abs(computeExp(value) / Math.exp(value) - 1)).toBeLessThan(1e-11);
      }),
    );
  });

  test("a normal value has mean 0 and deviation 1", () => {
    const random = Random.ofSeed([1]);
    const values = Array.from({ length: 20_000 }, () => drawNormal(random));
    expect(Math.abs(meanOf(values))).toBeLessThan(0.03);
    expect(Math.abs(meanOf(values.map((value) => value * value)) - 1)).toBeLessThan(0.05);
  });
});

describe("seeds", () => {
  test("a seed gives the same latencies again, whatever was asked before; another seed or leg gives others", () => {
    const model = readLatency("latency", "lognormal(20,0.5)");
    const submit = model.open("a", "submit");
    const first = Array.from({ length: 50 }, (_, place) => submit(START + place));
    const again = model.open("a", "submit");
    for (const place of [49, 3, 20, 0]) expect(again(START + place)).toBe(first[place]);
    expect(Array.from({ length: 50 }, (_, place) => model.open("b", "submit")(START + place))).not.toEqual(first);
    expect(Array.from({ length: 50 }, (_, place) => model.open("a", "feed")(START + place))).not.toEqual(first);
  });

  test("the latencies of a seed are the same on every machine", () => {
    const at = (text: string) => {
      const open = readLatency("latency", text).open("1", "submit");
      return Array.from({ length: 6 }, (_, place) => open(START + place * 1_000));
    };
    expect(at("uniform(5,50)")).toMatchInlineSnapshot(`
      [
        16,
        11,
        50,
        13,
        14,
        30,
      ]
    `);
    expect(at("normal(30,10)")).toMatchInlineSnapshot(`
      [
        33,
        49,
        40,
        22,
        19,
        21,
      ]
    `);
    expect(at("lognormal(20,0.5)")).toMatchInlineSnapshot(`
      [
        23,
        51,
        33,
        14,
        12,
        13,
      ]
    `);
  });
});

describe("forms", () => {
  test.each([
    [50, "50"],
    ["50", "50"],
    [" uniform( 1, 2 ) ", "uniform(1,2)"],
    ["lognormal(median=20, sigma=0.5)", "lognormal(20,0.5)"],
    ["normal(deviation=3,mean=20)", "normal(20,3)"],
  ] as const)("%s is %s", (given, name) => {
    expect(readLatency("latency", given).name).toBe(name);
  });

  test.each<[unknown, RegExp]>([
    [-1, /whole number from 0 to 86400000/],
    [1.5, /whole number/],
    [86_400_001, /whole number/],
    [Number.NaN, /whole number/],
    ["", /no latency/],
    ["fast", /no latency/],
    ["constructor(1,2)", /no latency/],
    ["uniform(5)", /not uniform\(low,high\)/],
    ["uniform(5,6,7)", /not uniform\(low,high\)/],
    ["uniform(9,5)", /low first/],
    ["uniform(0.5,5)", /whole ms/],
    ["normal(20,-1)", /not normal\(mean,deviation\)/],
    ["lognormal(20,11)", /sigma is at most 10/],
    ["lognormal(1e9,1)", /not lognormal/],
    [null, /no latency/],
    [{ file: "a.csv", times: [], latencies: [] }, /a\.csv: there is no sample/],
    [{ file: "a.csv", times: [1, 2], latencies: [1] }, /2 times and 1 latencies/],
    [{ file: "a.csv", times: [2, 2], latencies: [1, 1] }, /sample 2 is not later/],
    [{ file: "a.csv", times: [1], latencies: [-1] }, /sample 1 has a latency of -1/],
    [{ file: "a.csv", times: ["1"], latencies: [1] }, /sample 1 has no time/],
    [{ file: "a.csv" }, /no samples/],
  ])("%j is refused", (given, reason) => {
    expect(() => readLatency("latency", given as Latency)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", place: "latency", message: expect.stringMatching(reason) }),
    );
  });
});

test("of recorded samples the last one before a message counts, and the first before all of them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 30 }), fc.nat(1_100), (given, timeMs) => {
      const times = given.toSorted((a, b) => a - b);
      const latencies = times.map((time) => (time * 7) % 100);
      const at = readLatency("latency", { file: "a.csv", times, latencies }).open("1", "submit");
      const before = times.filter((time) => time <= timeMs);
      expect(at(timeMs)).toBe(latencies[Math.max(0, before.length - 1)]);
    }),
  );
});
