import { expect, test } from "vitest";
import type { Decision, StrategyDifference } from "../../../../src/product/research/lookahead/decision.ts";
import { Findings } from "../../../../src/product/research/lookahead/findings.ts";
import type { ProbeResult } from "../../../../src/product/research/lookahead/probe.ts";

const decide = (strategy: string, timeMs: number): Decision => ({
  strategy,
  timeMs,
  action: "closePosition",
  payload: { market: "BTC-PERP", size: 0 } as Decision["payload"],
});

const differ = (name: string, timeMs: number): StrategyDifference => ({
  name,
  timeMs,
  recorded: decide(name, timeMs),
  changed: undefined,
});

function open(decisions: readonly Decision[], repeated: readonly Decision[]) {
  const base = { decisions, repeated, reads: [], builtins: [] } as unknown as ProbeResult;
  const findings = new Findings(
    ["a", "b"].map((name) => ({ name, id: "test", params: {} })),
    1,
    base,
  );
  findings.cuts = [5];
  return findings;
}

test("one that was disturbed in a run has looked ahead if it differs first in another", () => {
  const both = [decide("a", 1), decide("b", 1)];
  const findings = open(both, both);
  findings.compare("looksAhead", [differ("a", 1), differ("b", 2)]);
  expect(findings.isAllFound).toBe(false);
  expect(findings.end().strategies.map(({ verdict }) => verdict)).toEqual(["looksAhead", "disturbed"]);
  findings.compare("looksAhead", [differ("b", 1), differ("a", 2)]);
  expect(findings.isAllFound).toBe(true);
  const { strategies } = findings.end();
  expect(strategies.map(({ verdict, differs }) => [verdict, differs?.timeMs])).toEqual([
    ["looksAhead", 1],
    ["looksAhead", 1],
  ]);
});

test("state between runs is of the strategy that differs first in the second run", () => {
  const recorded = [decide("a", 1), decide("b", 1), decide("a", 2)];
  const findings = open(recorded, [decide("a", 1), decide("a", 2), decide("a", 3)]);
  const { strategies, keepsState } = findings.end();
  expect(strategies.map((one) => [one.name, one.keepsState])).toEqual([
    ["a", false],
    ["b", true],
  ]);
  expect(keepsState).toBe(true);
});

test("a strategy that was found has looked ahead, also where a file could not be changed for it", () => {
  const both = [decide("a", 1), decide("b", 1)];
  const findings = open(both, both);
  findings.known = ["btc.zip"];
  findings.compare("looksAhead", [differ("a", 1), differ("b", 2)]);
  const report = findings.end();
  expect(report.strategies.map(({ verdict }) => verdict)).toEqual(["looksAhead", "unproved"]);
  expect(report.verdict).toBe("looksAhead");
});
