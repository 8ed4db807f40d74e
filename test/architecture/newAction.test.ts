import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, runNode } from "../helpers/project.ts";

// Goal: an action costs four files. Method: a toy action, `burn`, is added to a copy of the project: exactly the files
// of the fixture, then `npm run generate`. What a new action has to pass is run there.
const FIXTURE = join(import.meta.dirname, "fixtures", "burn");
const FILES = [
  "src/protocol/actions/burn.ts",
  "src/venue/engine/actions/burn.ts",
  "src/proof/model/actions/burn.ts",
  "scenarios/actions/burn.yaml",
];
const LEFT_OUT = ["node_modules", ".git", "out", "dist", "data", ".cache"];
const LIMIT_MS = 600_000;

let copy = "";
const run = (...args: string[]) => runNode(args, { cwd: copy });
const tool = (path: string, ...args: string[]) => run(join("node_modules", path), ...args);

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "perplab-burn-"));
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: (source) => source === projectRoot || !LEFT_OUT.includes(basename(source)),
  });
  symlinkSync(join(projectRoot, "node_modules"), join(copy, "node_modules"), "junction");
  for (const file of FILES) cpSync(join(FIXTURE, file), join(copy, file));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.each([
  [FILES[0]!, "the action burn has no definition: write src/protocol/actions/burn.ts"],
  [FILES[1]!, "the action burn has no handler: write src/venue/engine/actions/burn.ts"],
  [FILES[2]!, "the action burn has no model: write src/proof/model/actions/burn.ts"],
  [FILES[3]!, "no scenario uses the action burn: write scenarios/actions/burn.yaml, or one that says what it shows"],
])("without %s, the generator says what is missing", (file, message) => {
  rmSync(join(copy, file));
  for (const args of [[], ["--check"]]) {
    expect(run("scripts/generate.ts", ...args)).toMatchObject({ status: 1, stderr: `${message}\n`, stdout: "" });
  }
  cpSync(join(FIXTURE, file), join(copy, file));
});

test("a code that is taken is named, with the next free one", () => {
  const definition = join(copy, FILES[0]!);
  const taken = readFileSync(definition, "utf8").replace("code: 28", "code: 3");
  expect(taken).toContain("code: 3");
  writeFileSync(definition, taken);
  expect(run("scripts/generate.ts").stderr).toMatch(
    /^burn and cancelOrders have the code 3|^cancelOrders and burn have/,
  );
  cpSync(join(FIXTURE, FILES[0]!), definition);
});

test(
  "with the four files, everything else is generated, and types, floors, scenario and search pass",
  () => {
    expect(run("scripts/generate.ts", "--check").stdout).toContain("out of date: src/protocol/actions/table.ts");
    const written = run("scripts/generate.ts");
    expect(written.stderr).toBe("");
    expect(written.status).toBe(0);
    expect(written.stdout).toContain("wrote test/vectors/burn.json");

    const checked = ["src/protocol", "src/venue/engine", "src/proof/model"].map((room) => join(room, "actions"));
    expect(
      tool("dependency-cruiser/bin/dependency-cruise.mjs", "--config", ".dependency-cruiser.cjs", ...checked),
    ).toMatchObject({ status: 0 });
    expect(tool("typescript/bin/tsc", "-b", "tsconfig.src.json")).toMatchObject({ status: 0, stdout: "" });
    expect(run("bin/perplab.js", "scenario", "run", FILES[3]!)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("1 passed"),
    });

    const out = join(copy, "search.json");
    const search = run(
      "bin/perplab.js",
      ...`fuzz run --seed 1 --tx 3000 --model --format json --out ${out}`.split(" "),
    );
    const report = JSON.parse(readFileSync(out, "utf8")) as {
      failures: unknown[];
      operations: { action: string; applied: number; rejected: Record<string, number> }[];
    };
    expect(report.failures, search.stderr).toEqual([]);
    const burn = report.operations.find(({ action }) => action === "burn");
    expect(burn?.applied).toBeGreaterThan(5);
    expect(burn?.rejected["INSUFFICIENT_FREE_COLLATERAL"]).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
