import { expect, test } from "vitest";
import { BenchOptionError, readOptions } from "../../../bench/perpbench/plan/options.ts";

test("by default every bug is tried in every way, with three seeds of a hundred thousand transactions and the model", () => {
  const options = readOptions([]);
  expect(options.methods).toEqual(["search", "scenarios", "explore", "around"]);
  expect(options.bugs).toHaveLength(67);
  expect(options.seeds).toEqual([1, 2, 3]);
  expect(new Set(options.bugs.map(options.budgetOf))).toEqual(new Set([100_000]));
  expect(options).toMatchObject({ model: true, clean: 0, depth: 2, blocks: 100_000, every: 9, isReport: false });
});

test("with --tiers each bug has the budget of its tier, and --budget limits it", () => {
  const budgetsOf = (...args: string[]) => {
    const { bugs, budgetOf } = readOptions(["--tiers", ...args]);
    return Object.fromEntries(bugs.map((bug) => [bug.tier, budgetOf(bug)]));
  };
  expect(budgetsOf()).toEqual({ A: 10_000, B: 1_000_000, C: 5_000_000 });
  expect(budgetsOf("--budget", "2e5")).toEqual({ A: 10_000, B: 200_000, C: 200_000 });
});

test("ways keep their order, and bugs are chosen by number and tier", () => {
  expect(readOptions(["--methods", "around,search"]).methods).toEqual(["search", "around"]);
  expect(readOptions(["--bugs", "41,7"]).bugs.map(({ number }) => number)).toEqual([7, 41]);
  expect(new Set(readOptions(["--tier", "C"]).bugs.map(({ tier }) => tier))).toEqual(new Set(["C"]));
  expect(readOptions(["--no-model", "--guidance", "slack"])).toMatchObject({ model: false, guidance: "slack" });
});

test("the page has the options that are not as by default, and decide something", () => {
  expect(readOptions([]).words).toEqual([]);
  const args = [
    "--workers",
    "7",
    "--every=27",
    "--no-model",
    "--tiers",
    "--out",
    "a",
    "--blocks",
    "5e4",
    "--seeds",
    "3",
  ];
  expect(readOptions(args).words).toEqual(["--tiers", "--no-model", "--blocks", "5e4", "--every", "27"]);
});

test.each([
  [["--bugs", "68"], "there is no bug 68"],
  [["--bugs", "0"], "--bugs must be a whole number above 0"],
  [["--methods", "search,guess"], "--methods must be search, scenarios, explore, around"],
  [["--methods", ""], "--methods must be"],
  [["--tier", "D"], "--tier must be A, B, C"],
  [["--guidance", "some"], "--guidance must be"],
  [["--depth", "1.5"], "--depth must be a whole number above 0"],
  [["--seeds", "-1"], "--seeds"],
  [["--blocks", ""], "--blocks must be a whole number above 0"],
  [["--depths", "2"], "--depths"],
  [["--from", "abc"], "--from needs --report"],
  [["--redis-prefix", "x"], "--redis-prefix needs --redis"],
])("%j is refused with its reason", (args, reason) => {
  expect(() => readOptions(args)).toThrow(BenchOptionError);
  expect(() => readOptions(args)).toThrow(reason);
});
