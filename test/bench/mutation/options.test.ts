import { expect, test } from "vitest";
import { readOptions } from "../../../bench/mutation/options.ts";

test("each oracle has its number of mutants", () => {
  expect(readOptions([])).toMatchObject({ oracle: "search", mutants: 1000, grow: 6e5, seed: 1 });
  expect(readOptions(["--oracle", "scenarios"])).toMatchObject({ oracle: "scenarios", drawn: 400, checkedMost: 60 });
  expect(readOptions(["--oracle", "tests", "--mutants", "7"])).toMatchObject({ oracle: "tests", drawn: 7 });
});

test("mutants that other oracles miss have a page of their own", () => {
  const options = readOptions(["--missed-by", "scenarios,tests"]);
  expect(options).toMatchObject({ oracle: "search", missedBy: ["scenarios", "tests"] });
  expect(options).toHaveProperty("out", expect.stringMatching(/evidence.mutation-missed$/));
  const tried = readOptions(["--tried-by", "tests"]);
  expect(tried).toMatchObject({ triedBy: ["tests"], out: expect.stringMatching(/evidence.mutation-together$/) });
  expect(readOptions([])).toMatchObject({
    missedBy: [],
    triedBy: [],
    out: expect.stringMatching(/evidence.mutation$/),
  });
});

test("a queue has an address and perhaps a prefix", () => {
  expect(readOptions(["--oracle", "tests", "--redis", "redis://localhost", "--redis-prefix", "a"])).toMatchObject({
    queue: { redis: "redis://localhost", redisPrefix: "a" },
  });
  expect(readOptions(["--redis", "redis://localhost"])).toMatchObject({
    oracle: "search",
    queue: { redis: "redis://localhost" },
  });
  expect(readOptions(["--oracle", "tests"])).not.toHaveProperty("queue");
});

test.each([
  [["--oracle", "luck"], "--oracle must be search, scenarios, tests, not luck"],
  [["--oracle", "tests", "--grow", "5"], "--grow belongs to --oracle search, not tests"],
  [["--oracle", "tests", "--carry"], "--carry belongs to --oracle search, scenarios, not tests"],
  [["--checked", "5"], "--checked belongs to --oracle scenarios, not search"],
  [["--oracle", "tests", "--results", "x"], "--results belongs to --oracle search, not tests"],
  [["--oracle", "tests", "--redis-prefix", "a"], "--redis-prefix needs --redis"],
  [["--oracle", "tests", "--missed-by", "scenarios"], "--missed-by belongs to --oracle search, not tests"],
  [["--missed-by", "search"], "--missed-by must be scenarios, tests, not search"],
  [["--missed-by", "tests", "--mutants", "9"], "--missed-by takes its mutants from the evidence"],
  [["--missed-by", "tests", "--tried-by", "tests"], "--missed-by and --tried-by exclude each other"],
  [["--mutants", "0"], "--mutants must be a whole number above 0, not 0"],
  [["--surprise"], "Unknown option '--surprise'"],
])("the words %j are refused", (words, reason) => {
  expect(readOptions(words)).toContain(reason);
});
