import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseCases, chooseLooks, joinReached } from "../../bench/mutation/chooseCases.ts";
import { drawMutants } from "../../bench/mutation/drawMutants.ts";
import type { Grown, Reached } from "../../bench/mutation/grow.ts";
import { instrument, listMutants, type Mutant } from "../../bench/mutation/instrument.ts";
import {
  EndlessLoop,
  endCovering,
  isMutant,
  selectMutant,
  startCovering,
  startTurns,
  turn,
} from "../../bench/mutation/mutant.ts";
import { createMutationReport } from "../../bench/mutation/report.ts";
import { renderMutationReport } from "../../bench/mutation/reportText.ts";
import type { Tried } from "../../bench/mutation/worker.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const numbered = (mutants: readonly Mutant[]) => new Map(mutants.map((mutant, at) => [at + 1, mutant]));
const inFunction = (body: string) => `function f(a: number, b: number) {\n  ${body}\n}\n`;
const textsOf = (body: string, mutator: string) =>
  listMutants("x.ts", inFunction(body))
    .filter((mutant) => mutant.mutator === mutator)
    .map(({ text }) => text);

test.each([
  ["arithmetic", "return a + b * a;", ["a - (b * a)", "b / a"]],
  ["equality", "return a < b;", ["a <= b", "a >= b"]],
  ["equality", "return a === b;", ["a !== b"]],
  ["logical", "return a && b;", ["a || b"]],
  ["condition", "if (a) b;", ["true", "false"]],
  ["condition", "while (a) b;", ["false"]],
  ["condition", "return a > 1 && b;", ["true", "false"]],
  ["boolean", "return !a;", ["a"]],
  ["boolean", "return true;", ["false"]],
  ["unary", "return -a;", ["+a"]],
  ["update", "a++;", ["a--"]],
  ["assignment", "a += b;", ["a -= b"]],
  ["bitwise", "return a & b;", ["a | b"]],
  ["method", "return Math.min(a, b);", ["Math.max(a, b)"]],
  ["method", "return [a].sort();", ["[a]"]],
  ["array", "return [a, b];", ["[]"]],
  ["object", "return { a };", ["{}"]],
  ["string", 'return "x";', ['""']],
  ["optional", "return a?.b;", ["a.b"]],
  ["arrow", "return () => a;", ["() => undefined"]],
  ["call", "g(a);", [";"]],
])("the mutator %s changes %s", (mutator, body, changed) => {
  expect(textsOf(body, mutator)).toEqual(changed);
});

test("code outside of functions is not mutated", () => {
  const outside = 'import { a } from "./a.ts";\nconst b = 1 + 2;\ntype T = "x" | true;\nexport { b };\n';
  expect(listMutants("x.ts", outside)).toEqual([]);
  expect(textsOf('const c: "x" | true = a as never;', "string")).toEqual([]);
  expect(textsOf("a = b;", "condition")).toEqual([]);
  expect(textsOf('throw new Error("cannot happen" + a);', "string")).toEqual([]);
});

// Goal: every source of the engine compiles with all of its mutants at once. Method: Node's own stripping of types,
// which
// refuses what it cannot parse.
test("every file parses with all of its mutants in place", () => {
  let count = 0;
  for (const folder of ["venue/engine", "ground/math"]) {
    for (const file of readdirSync(join(ROOT, "src", folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue;
      const source = readFileSync(join(ROOT, "src", folder, file), "utf8");
      const mutants = numbered(listMutants(file, source));
      count += mutants.size;
      expect(() => stripTypeScriptTypes(instrument(file, source, mutants, "./mutant.ts")), file).not.toThrow();
    }
  }
  expect(count).toBeGreaterThan(10_000);
});

// Goal: with no mutant on, instrumented code does what the original does; with one on, what the change does.
test("one mutant is active at a time, and without one nothing changes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "perplab-mutation-"));
  try {
    const source = `export function f(a: number, b: number): string {
  const parts: number[] = [];
  for (let at = 0; at < b; at++) if (at !== a) parts.push(at + a);
  if (parts.length === 0) return "none";
  return parts.map((part) => part * 2).join(" ");
}\n`;
    const mutants = numbered(listMutants("f.ts", source));
    const runtime = join(ROOT, "bench", "mutation", "mutant.ts").replaceAll("\\", "/");
    writeFileSync(join(folder, "plain.ts"), source);
    writeFileSync(join(folder, "f.ts"), instrument("f.ts", source, mutants, runtime));
    const plain = (await import(/* @vite-ignore */ join(folder, "plain.ts"))) as { f(a: number, b: number): string };
    const { f } = (await import(/* @vite-ignore */ join(folder, "f.ts"))) as { f(a: number, b: number): string };
    const runAll = () => [f(0, 0), f(1, 4), f(5, 3)];
    selectMutant(0);
    expect(runAll()).toEqual([plain.f(0, 0), plain.f(1, 4), plain.f(5, 3)]);
    const changed = [...mutants.keys()].filter((number) => {
      selectMutant(number);
      startTurns(1_000);
      try {
        return runAll().join() !== [plain.f(0, 0), plain.f(1, 4), plain.f(5, 3)].join();
      } catch (error) {
        return error instanceof EndlessLoop || error instanceof TypeError;
      }
    });
    // Left alive: none of them, or this test could not see half of what it is about.
    expect(changed.length).toBeGreaterThan(mutants.size * 0.8);
  } finally {
    selectMutant(0);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("inserted calls have names that the source does not use", () => {
  const source = inFunction("for (const turn of [isMutant]) if (turn) b++;");
  const text = instrument("x.ts", source, numbered(listMutants("x.ts", source)), "./mutant.ts");
  expect(text).toContain("isMutant as isMutant$, ");
  expect(text).toContain('turn as turn$ } from "./mutant.ts";');
  expect(text).toContain("{ turn$(); ");
  expect(text).not.toMatch(/\bturn\(|\bisMutant\(/);
});

test("an endless loop is detected, and the count restarts with each block", () => {
  startTurns(1_000);
  expect(() => {
    for (;;) turn();
  }).toThrow(EndlessLoop);
  startTurns();
  expect(() => turn()).not.toThrow();
  expect(isMutant(1)).toBe(false);
});

test("mutants are drawn by share, one of each file at least, the same for the same seed", () => {
  const make = (file: string, count: number) =>
    Array.from({ length: count }, (_, from) => ({ file, from, key: `${file} ${from}` }) as unknown as Mutant);
  const byFile = new Map([
    ["a.ts", make("a.ts", 300)],
    ["b.ts", make("b.ts", 100)],
    ["c.ts", make("c.ts", 2)],
    ["d.ts", []],
  ]);
  const drawn = drawMutants(byFile, 40, 1);
  const count = (file: string) => drawn.filter((mutant) => mutant.file === file).length;
  expect([count("a.ts"), count("b.ts"), count("c.ts"), drawn.length]).toEqual([29, 10, 1, 40]);
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(drawMutants(byFile, 40, 1)).toEqual(drawn);
  expect(drawMutants(byFile, 40, 2)).not.toEqual(drawn);
  expect(drawMutants(byFile, 1000, 1)).toHaveLength(402);
  // A file that has more of them now, or other ones, changes nothing for what is still there.
  const grown = drawMutants(new Map([...byFile, ["b.ts", make("b.ts", 130)]]), 43, 1);
  expect(
    drawn.filter(({ file }) => file === "a.ts").every((mutant) => grown.some(({ key }) => key === mutant.key)),
  ).toBe(true);
});

test("the report separates mutants: killed, survived, without a difference, never reached, equivalent", () => {
  const mutants = numbered(listMutants("x.ts", inFunction("return a < b && b < 7 ? a - b : 0;")));
  const kill = { kind: "kill" as const, cases: 1, transactions: 5, seconds: 0, falseAlarms: [] };
  const finding = { kind: "invariant", invariant: "conservation", height: 1, observed: "" };
  const scenario = { kind: "scenario", invariant: "scenario", height: 0, observed: "x.yaml" };
  const numbers = [...mutants.keys()];
  expect(numbers.length).toBeGreaterThan(7);
  const [killed, found, same, unseen, equivalent, unreached, ...open] = numbers;
  const place = { ran: 4, differed: 2, cases: 1, useful: [] };
  const report = createMutationReport({
    version: "v",
    commit: "c0ffee",
    seed: 1,
    keys: [...mutants.values()].map(({ key }) => key),
    mutants,
    grown: { cases: 1, transactions: 5 },
    reached: new Map([
      [same!, { ...place, mutant: same!, differed: 0, cases: 0 }],
      [unseen!, { ...place, mutant: unseen! }],
      [equivalent!, { ...place, mutant: equivalent! }],
    ]),
    looked: [
      { kind: "look", name: "abc", transactions: 5, mostTurns: 1, seen: [], finding },
      { kind: "look", name: "def", transactions: 5, mostTurns: 1, seen: [] },
    ],
    loaded: new Set(),
    tried: new Map<number, Tried>([
      [killed!, { ...kill, mutant: killed!, finding }],
      [found!, { ...kill, mutant: found!, finding: scenario }],
      ...[same!, unseen!, equivalent!, unreached!].map((mutant) => [mutant, { ...kill, mutant }] as const),
    ]),
    carried: 0,
    explained: {
      [mutants.get(equivalent!)!.key]: { equivalent: true, why: "It cannot be." },
      "x.ts gone: a => b": { equivalent: true, why: "No more." },
      "x.ts gone: … => …": { equivalent: true, why: "No more." },
    },
  });
  expect(report).toMatchObject({ killed: 2, killedByScenarios: 1, same: 1, unseen: 1, unreached: 1, equivalent: 1 });
  expect(report).toMatchObject({ open: open.length, score: 2 / 5, scoreByCases: 1 / 5 });
  expect(report.falseAlarms).toEqual(["abc (conservation)"]);
  expect(report.stale).toEqual(["x.ts gone: a => b", "x.ts gone: … => …"]);
  expect(report.survivors.map(({ cause, why }) => [cause, why])).toEqual([
    ["same", undefined],
    ["unseen", undefined],
    ["unseen", "It cannot be."],
    ["unreached", undefined],
  ]);
  expect(renderMutationReport(report)).toContain("killed: 2 of 5, 40.0 %");
});

test("equal mutants of a line are numbered, and an explanation may cover a kind of mutant", () => {
  const mutants = numbered(listMutants("x.ts", inFunction("return a + b + 0 - (a + b + 0);")));
  const keys = [...mutants.values()].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toContain("x.ts arithmetic: a + b => a - b #2");
  const kill = { kind: "kill" as const, cases: 0, transactions: 0, seconds: 0, falseAlarms: [] };
  const report = createMutationReport({
    version: "v",
    commit: "c0ffee",
    seed: 1,
    keys,
    mutants,
    grown: { cases: 0, transactions: 0 },
    reached: new Map(),
    looked: [],
    loaded: new Set(),
    tried: new Map([...mutants.keys()].map((mutant) => [mutant, { ...kill, mutant }])),
    carried: 0,
    explained: { "x.ts arithmetic: … + 0 => …": { equivalent: true, why: "The sign of zero." } },
  });
  expect(report.equivalent).toBe(keys.filter((key) => key.includes(" + 0 => ")).length);
  expect(report.equivalent).toBeGreaterThan(1);
  expect(report.stale).toEqual([]);
});

// Goal: a case in which a mutant says the same as the original all the time is known to be of no use for it.
test("the first place where a mutant makes a difference is recorded", async () => {
  const folder = mkdtempSync(join(tmpdir(), "perplab-mutation-"));
  try {
    const source = "export function f(a: number, b: number): number {\n  if (a < b) return a + b;\n  return 0;\n}\n";
    const mutants = numbered(listMutants("f.ts", source));
    const runtime = join(ROOT, "bench", "mutation", "mutant.ts").replaceAll("\\", "/");
    writeFileSync(join(folder, "f.ts"), instrument("f.ts", source, mutants, runtime));
    const { f } = (await import(/* @vite-ignore */ join(folder, "f.ts"))) as { f(a: number, b: number): number };
    const differ = (...sides: readonly (readonly [number, number])[]) => {
      startCovering();
      for (const [a, b] of sides) f(a, b);
      const seen = endCovering();
      return seen.filter(({ differed }) => differed > 0).map(({ mutant }) => mutants.get(mutant)!.text);
    };
    expect(differ([1, 2])).toEqual(["a >= b", "false", "a - b"]);
    expect(differ([1, 0])).toEqual(expect.arrayContaining(["a >= b", "true"]));
    expect(differ([1, 0])).not.toContain("a <= b");
    expect(differ([1, 1])).toContain("a <= b");
    expect(differ([-1, 0])).not.toContain("a - b");
    expect(differ()).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a mutant runs in the cases in which it makes a difference, two cheap ones and a rich one in turn", () => {
  const useful = Array.from({ length: 30 }, (_, at) => ({
    name: `case${at}`,
    transactions: 10 * (at + 1) ** 2,
    times: at + 1,
  }));
  const one = { mutant: 1, ran: 99, differed: 99, cases: 30, useful };
  const budget = { cases: 4, transactions: 6_000, most: 8 };
  const chosen = chooseCases(one, 1, [], budget);
  expect(chosen.slice(0, 3)).toEqual([
    ["case2", "plain"],
    ["case3", "whole"],
    ["case9", "plain"],
  ]);
  expect(chosen).toHaveLength(new Set(chosen.map(([name]) => name)).size);
  expect(chosen.length).toBeGreaterThanOrEqual(4);
  expect(chosen.filter(([, way]) => way === "whole").length).toBe(Math.floor((chosen.length + 1) / 3));
  // Where blocks do not come: the cases in which it ran while they were checked.
  const looked = { kind: "look" as const, name: "far", transactions: 9, mostTurns: 0 };
  const there = { ...looked, seen: [{ mutant: 1, ran: 3, differed: 1 }] };
  expect(chooseCases({ ...one, useful: [] }, 1, [there, { ...looked, seen: [] }], budget)).toEqual([["far", "whole"]]);
  expect(
    joinReached([grownOf([one]), grownOf([{ ...one, useful: [{ name: "new", transactions: 5, times: 1 }] }])]).get(1),
  ).toMatchObject({ ran: 198, cases: 60, useful: { length: 31 } });
  expect(chooseLooks([grownOf([one, { ...one, mutant: 2, useful: useful.slice(3, 4) }])], 1)).toEqual(["case3"]);
});

function grownOf(reached: readonly Reached[]): Grown {
  return { kind: "grow", number: 1, transactions: 0, cases: 0, mostTurns: 0, loaded: [], reached };
}
