import { expect, test } from "vitest";
import { instrument, listMutants, type Mutant } from "../../../../bench/mutation/instrument.ts";
import { createOracleReport, type Fate } from "../../../../bench/mutation/oracles/oracleReport.ts";
import { renderOracleReport, WORDS } from "../../../../bench/mutation/oracles/oracleText.ts";
import { planFiles } from "../../../../bench/mutation/oracles/planFiles.ts";
import { createRuleFinder } from "../../../../bench/mutation/oracles/rulesOf.ts";

const reach = (seconds: number, seen: readonly (readonly [number, number])[], loaded: readonly number[] = []) => ({
  kind: "reach" as const,
  seconds,
  loaded,
  seen: seen.map(([mutant, differed]) => ({ mutant, ran: differed + 1, differed })),
});

test("a mutant runs the files in which it makes a difference, first those with many in little time", () => {
  const plan = planFiles([
    { file: "slow", reach: reach(2, [[1, 50]]) },
    { file: "rare", reach: reach(0.01, [[1, 1]]) },
    { file: "often", reach: reach(0.01, [[1, 9]]) },
    { file: "equal", reach: reach(0.01, [[1, 0]]) },
    { file: "other", reach: reach(0.01, [[2, 5]], [7]) },
  ]);
  expect(plan(1).files.map(({ file }) => file)).toEqual(["often", "rare", "slow"]);
  expect(plan(1).reached.map(({ file }) => file)).toContain("equal");
  expect(plan(3).files).toEqual([]);
  // Code that runs as its module is loaded runs once for all files.
  expect([plan(7).isLoaded, plan(7).files.length]).toEqual([true, 5]);
});

test("a place belongs to the rules that the comment around it cites, or else to those of its file", () => {
  const source = `/** Of the file (AUT). */
import { a } from "./a.ts";
/** One rule: ORD-2; SVC-1 is none. */
export function first() { return 1 + a; }
export function second() { return 2 + a; }
class Third {
  /** Another: LIQ-5. */
  act() { return 3 + a; }
}
`;
  const rulesAt = createRuleFinder(source, new Set(["AUT", "ORD-2", "LIQ-5"]));
  expect(rulesAt(source.indexOf("1 + a"))).toEqual(["ORD-2"]);
  expect(rulesAt(source.indexOf("2 + a"))).toEqual(["AUT", "ORD-2", "LIQ-5"]);
  expect(rulesAt(source.indexOf("3 + a"))).toEqual(["LIQ-5"]);
});

// Goal: no division of the measurement throws where the program would not.
test("a big number that is not divided by zero is not divided by zero by the measurement", () => {
  const source = "export function f(a: bigint, b: bigint) {\n  return a * b;\n}\n";
  const mutants = listMutants("x.ts", source).filter(({ operator }) => operator === "/");
  expect(mutants).toHaveLength(1);
  const text = instrument("x.ts", source, new Map([[1, mutants[0]!]]), "./mutant.ts");
  const place = /function place\$0\(l, r\) \{.*\}/.exec(text)![0];
  const seen: number[] = [];
  const run = new Function("covering$", "saw$", `${place}; return place$0(5n, 0n);`);
  expect(run(true, (mutant: number) => seen.push(mutant))).toBe(0n);
  expect(seen).toEqual([1]);
});

test("the report counts what is killed with and without invariants, by rule, and leaves out what is equivalent", () => {
  const file = "venue/engine/liquidation/rankers.ts";
  const mutants = new Map(
    [1, 2, 3, 4].map((number) => [
      number,
      { key: `k${number}`, file, line: number, from: 900, original: "a | b", text: "b" } as unknown as Mutant,
    ]),
  );
  const note = { file: "scenarios/x.yaml", kind: "expectation", what: "size" };
  const results = {
    seed: 1,
    proofs: 9,
    carried: 0,
    falseAlarms: [],
    copy: { version: "v", mutants, total: 40, keys: [] },
    explained: { k3: { equivalent: true, why: "it is" } },
    fates: new Map<number, Fate>([
      [1, { killer: { ...note, mode: "plain" }, reached: 3, differed: 2 }],
      [2, { killer: { ...note, mode: "checked" }, reached: 3, differed: 2 }],
      [3, { reached: 3, differed: 0 }],
      [4, { reached: 3, differed: 0 }],
    ]),
  };
  const report = createOracleReport(results);
  expect([report.plain, report.killed, report.equivalent, report.same, report.unreached]).toEqual([1, 2, 1, 1, 0]);
  expect(report.rules).toContainEqual({ rule: "LIQ-5", mutants: 3, plain: 1, killed: 2 });
  const text = renderOracleReport(report, WORDS.scenarios);
  expect(text).toContain("1 of 3, 33.3 %; with equivalents 1 of 4, 25.0 %");
  expect(text).toContain("2 of 3, 66.7 %; with equivalents 2 of 4, 50.0 %");
  expect(report.fates).toEqual({ k1: "plain", k2: "checked", k3: "survived", k4: "survived" });
  expect(report.files).toEqual([{ file, mutants: 3, plain: 1, killed: 2 }]);
  expect(text).toContain(`| ${file}:4 | \`a \\| b\` | \`b\` |`);
  // A sample says so, and has no score with equivalents, which come last.
  const part = createOracleReport({ ...results, fates: new Map([...results.fates].slice(0, 2)) });
  expect([part.drawn, part.mutants, part.killed]).toEqual([4, 2, 2]);
  const sample = renderOracleReport(part, WORDS.tests);
  expect(sample).toContain("- tried: the first 2 in the order of their lot");
  expect(sample).toContain("2 of 2, 100.0 %\n");
  expect(sample).not.toContain("with equivalents");
});
