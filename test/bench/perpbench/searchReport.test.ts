import { expect, test } from "vitest";
import type { Minimal } from "../../../bench/perpbench/minimalRun.ts";
import { createSearchReport } from "../../../bench/perpbench/report/searchReport.ts";
import { renderSearch } from "../../../bench/perpbench/report/searchText.ts";

const minimal: Minimal[] = [
  { bug: 18, transactions: 4, passes: true, reached: 1, triggered: 1, seen: ["openInterest"] },
];

test("the report counts what was found, by what, and what was missed for which reason", () => {
  const trial = {
    method: "search",
    bug: 18,
    budget: 100,
    transactions: 100,
    reached: 0,
    triggered: 0,
    cpuSeconds: 2,
  } as const;
  const finding = { kind: "invariant", invariant: "openInterest", height: 3, observed: "" };
  const report = createSearchReport({
    minimal,
    trials: [
      { ...trial, seed: 1, transactions: 40, reached: 2, triggered: 1, finding, shrunk: 6 },
      { ...trial, seed: 2, transactions: 60, triggered: 1, finding: { ...finding, invariant: "storable" } },
      { ...trial, seed: 6, transactions: 50, reached: 1, finding },
      { ...trial, seed: 3, reached: 2, triggered: 1 },
      { ...trial, seed: 4, reached: 2 },
      { ...trial, seed: 5 },
      { ...trial, bug: 0, seed: 1, transactions: 70 },
      { ...trial, bug: 0, seed: 2, transactions: 30, finding },
    ],
  });
  expect(report.bugs[17]).toMatchObject({
    bug: 18,
    trials: 6,
    detected: 2,
    attributed: 1,
    median: undefined,
    found: [
      ["openInterest", 1],
      ["storable", 1],
    ],
    triggeredNotDetected: 1,
    reachedNotTriggered: 2,
    neverReached: 1,
    shrunk: 6,
    handLength: 4,
    cpuSeconds: 12,
    ratio: 1.5,
  });
  expect(report).toMatchObject({
    measured: 1,
    reliable: 0,
    attribution: 0.5,
    clean: { transactions: 350, falseAlarms: 2 },
  });
});

test("the report has the searched seeds and transactions, and those that the benchmark asks for if that is more", () => {
  const trial = { method: "search", bug: 18, transactions: 9, reached: 1, triggered: 1, cpuSeconds: 0 } as const;
  const finding = { kind: "invariant", invariant: "openInterest", height: 3, observed: "" };
  const render = (seeds: number, budget: number) => {
    const trials = Array.from({ length: seeds }, (_, seed) => ({ ...trial, seed, budget, finding }));
    return renderSearch(createSearchReport({ minimal, trials })).join("\n");
  };
  const cut = render(2, 5_000);
  expect(cut).toContain("2 trials: 2 seeds a bug (the benchmark asks for 20)");
  expect(cut).toContain("A 5,000, not the 10,000 of its tier.");
  expect(cut).toContain("- found from every one of 2 seeds: 1 of 1");
  const full = render(20, 10_000);
  expect(full).toContain("20 trials: 20 seeds a bug, each up to a budget of transactions: A 10,000.");
  expect(full).toContain("- found from at least 19 in 20 of its seeds: 1 of 1");
});
