import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bugs } from "../../../bench/perpbench/bugs/index.ts";
import { applyEdits, buildCopy, listEdits, ROOT } from "../../../bench/perpbench/buildCopy.ts";
import type { Filed } from "../../../bench/perpbench/fileRun.ts";
import type { Minimal } from "../../../bench/perpbench/minimalRun.ts";
import { readGolden } from "../../../scripts/golden.ts";

const copy = join(ROOT, "out", "perpbench-test");
let minimal: Minimal[] = [];

const load = (path: string) => import(/* @vite-ignore */ join(copy, path));

beforeAll(async () => {
  buildCopy(copy);
  const { runMinimals } = await load("bench/perpbench/minimalRun.ts");
  ({ minimals: minimal } = runMinimals());
});

test("there are 67 planted bugs, numbered without a gap, each with what should find it", () => {
  expect(bugs.map(({ number }) => number)).toEqual(Array.from({ length: 67 }, (_, at) => at + 1));
  for (const { number, title, provenance, rules, expected, edits } of bugs) {
    expect([title, provenance], `bug ${number}`).not.toContain("");
    expect(Math.min(rules.length, expected.length, edits.length), `bug ${number}`).toBeGreaterThan(0);
    expect(
      edits.some(({ replace }) => new RegExp(`\\(\\s*${number}[,)]`).test(replace)),
      `bug ${number} is switched by its own number`,
    ).toBe(true);
  }
});

test("an edit whose place has moved is refused", () => {
  const [file, edits] = [...listEdits()][0]!;
  const source = readFileSync(join(ROOT, "src", file), "utf8");
  expect(() => applyEdits(file, source, edits)).not.toThrow();
  expect(() => applyEdits(file, `${source}${source}`, edits)).toThrow("2 matches instead of one");
  expect(() => applyEdits(file, "", edits)).toThrow("0 matches instead of one");
});

// Goal: with no bug selected the copy is the venue. Method: a golden stream, in the copy.
test("without a bug the copy comes to the golden roots", async () => {
  const { Flow } = await load("src/proof/fuzz/flow/flow.ts");
  const { createVenue } = await load("src/venue/engine/genesis.ts");
  const { applyBlock } = await load("src/venue/engine/applyBlock.ts");
  const { computeRoot } = await load("src/venue/engine/commitment/root.ts");
  const { seed, checkpoints } = readGolden("mixed")!;
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  for (let height = 1; height <= checkpoints[0]!.height; height++) applyBlock(state, flow.next(state));
  expect(computeRoot(state)).toBe(checkpoints[0]!.root);
});

test("the shortest scenario of each of the first forty bugs passes without the bug and fails with it", () => {
  expect(minimal.map(({ bug }) => bug)).toEqual(bugs.map(({ number }) => number).filter((number) => number <= 40));
  for (const { bug, passes, triggered, seen, transactions } of minimal) {
    expect(passes, `bug ${bug} without the bug`).toBe(true);
    expect(seen.length, `bug ${bug} is seen`).toBeGreaterThan(0);
    // The what-if passes of an invariant may meet it before a block does.
    expect(triggered > 0 || seen.includes("fullPass"), `bug ${bug} is triggered`).toBe(true);
    expect(transactions, `bug ${bug}`).toBeLessThanOrEqual(6);
  }
});

// Goal: a file of a failure reproduces it. Method: bugs that are soon found, by an invariant or against the model, are
// searched for, shrunk and written. The file is run on the venue with the bug, and on the one without.
test("the scenario that a search writes fails with the bug, for the same reason, and passes without it", () => {
  const chosen = "4,5,8,9,10,14,15,16,17,20,22,24,27,28,31,32,37,40";
  const program = join(copy, "bench", "perpbench", "fileRun.ts");
  const filed = execFileSync(process.execPath, [program, "--model", "--budget", "20000", "--bugs", chosen], {
    encoding: "utf8",
    maxBuffer: 1 << 24,
    timeout: 800_000,
  })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Filed);
  for (const { text, ...file } of filed) {
    expect(file).toMatchObject({ fails: true, isSame: true, passes: true });
    expect(file.transactions, `bug ${file.bug}`).toBeLessThanOrEqual(6);
    expect(text).not.toContain("# Here");
  }
  const seen = filed.map(({ invariant }) => invariant);
  expect(seen.filter((invariant) => invariant === "venueEqualsModel").length).toBeGreaterThan(3);
  expect(new Set(seen).size).toBeGreaterThan(8);
});

test("the released package contains no planted bug", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  for (const file of files) {
    expect(readFileSync(join(ROOT, "src", file), "utf8"), file).not.toMatch(/perpbench|isPlanted|planted\.ts/);
  }
  const { files: released } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  expect(released).not.toContain("bench");
  expect(existsSync(join(ROOT, "src", "planted.ts"))).toBe(false);
});
