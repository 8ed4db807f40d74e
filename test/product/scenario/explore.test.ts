import { expect, test } from "vitest";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import type { ScenarioError } from "../../../src/product/scenario/faults.ts";
import { lintScenario } from "../../../src/product/scenario/lint/lintScenario.ts";
import { runScenario } from "../../../src/product/scenario/run/runScenario.ts";

const HEAD = `# A world.
scenario: a world
rules: [ORD-1]
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000" }
  bob: { deposit: "1000" }
blocks:
  - name: quoted
    transactions: [{ bob: sell 1 @ 101 as ask }]
    expect: { fills: none }
`;
const WORLD = `${HEAD}explore: { depth: 2, nightly: 4, alike: [[alice, bob]], from: [quoted], shows: [conservation] }
alphabet:
  - { name: bids, transactions: [{ alice: buy 1 @ 99 as bid }] }
  - { name: cancels, after: 5m, transactions: [{ alice: cancel $bid }, { bob: cancel $ask }] }
`;

const compile = (text: string) => compileScenario("world.yaml", () => text).cases[0]!;

test("a world is a scenario that runs, with an alphabet whose blocks follow each other at once", () => {
  const scenario = compileScenario("world.yaml", () => WORLD);
  const { explore } = scenario.cases[0]!;
  expect(explore).toMatchObject({
    depth: 2,
    nightly: 4,
    alike: [["alice", "bob"]],
    from: ["quoted"],
    shows: ["conservation"],
  });
  expect(explore!.alphabet.map(({ name, afterMs }) => [name, afterMs])).toEqual([
    ["bids", 1],
    ["cancels", 300_000],
  ]);
  expect(runScenario(scenario)).toMatchObject({ status: "passed" });
  expect(lintScenario("world.yaml", () => WORLD)).toMatchObject({ faults: [], advice: [] });
  expect(compile(HEAD.replace(" as ask", "")).explore).toBeUndefined();
});

test("without a depth of its own, a nightly run goes as deep as any other", () => {
  expect(compile(WORLD.replace("nightly: 4, ", "")).explore!.nightly).toBe(2);
});

test.each([
  [(text: string) => text.slice(0, text.indexOf("alphabet:")).replace(" as ask", ""), "explore without alphabet"],
  [(text: string) => text.replace(/^explore:.*\n/m, ""), "alphabet without explore"],
  [(text: string) => text.replace("[[alice, bob]]", "[[alice, carol]]"), "there is no account carol"],
  [(text: string) => text.replace("[[alice, bob]]", "[[alice, bob], [alice]]"), "alice is in a group already"],
  [(text: string) => text.replace("from: [quoted]", "from: [open]"), "there is no block open"],
  [
    (text: string) => `${text.slice(0, text.indexOf("alphabet:")).replace(" as ask", "")}alphabet: []\n`,
    "an alphabet without blocks",
  ],
  [(text: string) => text.replace(/depth: \d+/, "depth: 0"), "a depth of no blocks"],
  [
    (text: string) => text.replace("depth: 2, nightly: 4", "depth: 3, nightly: 2"),
    "a night reaches less deep than depth 3",
  ],
  [(text: string) => text.replace("name: cancels", "name: bids"), "bids is a block of the alphabet already"],
  [(text: string) => text.replace("$bid", "$offer"), "nothing before this is labelled offer"],
  [(text: string) => text.replace("depth: 2, ", ""), "depth is missing"],
  [(text: string) => text.replace("buy 1 @ 99 as bid", "buy 1 @ 99 as ask"), "ask is a label already"],
])("a fault of a world is reported with its place", (spoil, message) => {
  try {
    compile(spoil(WORLD));
    expect.unreachable();
  } catch (error) {
    expect((error as ScenarioError).faults.map((fault) => fault.message)).toContain(message);
  }
});

const ALL = `# All of it.
scenario: all of an amount
rules: [MRG-5]
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000.000001" }
  bob: { deposit: "1000" }
  carol: {}
blocks:
  - transactions:
      - { from: alice, setMarginMode: { market: TEST, mode: isolated } }
      - bob: sell 1 @ 100
      - alice: buy 1 @ 100
    expect: { fills: any, positions: { alice: { isolated: "10" } } }
  - transactions:
      - { from: alice, adjustIsolatedMargin: { market: TEST, direction: add, amount: all } }
      - { from: bob, withdraw: { amount: all } }
    expect:
      positions: { alice: { isolated: "1000.000001" } }
      accounts: { alice: { collateral: "0" }, bob: { collateral: "10" } }
  - transactions:
      - { from: alice, adjustIsolatedMargin: { market: TEST, direction: remove, amount: all }, expect: rejected INSUFFICIENT_FREE_COLLATERAL }
      - { from: carol, withdraw: { amount: all }, expect: invalid ACCOUNT_NOT_FOUND }
`;

test("all is what is free to leave an account, or the collateral of an isolated position that is to be removed", () => {
  const { cases } = runScenario(compileScenario("all.yaml", () => ALL));
  expect(cases[0]!.failures.map(({ what, expected, observed }) => ({ what, expected, observed }))).toEqual([]);
});
