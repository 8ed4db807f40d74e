import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import floors from "../../scripts/floors.json" with { type: "json" };
import { createFolder, projectRoot, runNode } from "../helpers/project.ts";

const depcruise = join(projectRoot, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** Checks the src of a folder by the project's rules: `rule from -> to`, sorted. */
function check(folder: string): string[] {
  const ended = runNode([depcruise, "--config", ".dependency-cruiser.cjs", "--output-type", "json", "src"], {
    cwd: folder,
  });
  const { summary } = JSON.parse(ended.stdout) as { summary: { violations: Violation[] } };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

test("the source keeps to its floors", () => {
  expect(check(projectRoot)).toEqual([]);
});

// Goal: the check sees what it is there for. Method: a small tree with one fault for every rule, and next to each
// fault something alike that is allowed; the list of findings has to be exactly the faults.
test("every planted fault is found, and nothing else", () => {
  const folder = createFolder({
    "package.json": readFileSync(join(projectRoot, "package.json"), "utf8"),
    "src/math/fixed.ts": "export const one = 1;",
    "src/math/index.ts": 'export { one } from "./fixed.ts";',
    "src/collections/table.ts": 'import { one } from "../math/fixed.ts"; export const table = one;',
    "src/protocol/upwards.ts": 'import { row } from "../engine/state.ts"; export const up = row;',
    "src/protocol/typeUpwards.ts": 'import type { Row } from "../engine/state.ts"; export type Up = Row;',
    "src/protocol/hash.ts": 'import { createHash } from "node:crypto"; export const hash = createHash;',
    "src/engine/state.ts":
      'import { table } from "../collections/table.ts"; export const row = table; export type Row = number;',
    "src/engine/sideways.ts": 'import { sign } from "../signing/sign.ts"; export const s = sign;',
    "src/engine/file.ts": 'import { readFileSync } from "node:fs"; export const read = readFileSync;',
    "src/engine/barrel.ts": 'import { one } from "../math/index.ts"; export const b = one;',
    "src/engine/first.ts": 'import { second } from "./second.ts"; export const first = () => second;',
    "src/engine/second.ts": 'import { first } from "./first.ts"; export const second = () => first;',
    "src/engine/parent.ts": 'import { child } from "./child.ts"; export type Parent = 1; export const p = child;',
    "src/engine/child.ts": 'import type { Parent } from "./parent.ts"; export const child: Parent = 1;',
    "src/engine/nowhere.ts": 'import { gone } from "./gone.ts"; export const n = gone;',
    "src/model/state.ts": 'import type { table } from "../protocol/words.ts"; export type T = typeof table;',
    "src/model/borrow.ts": 'import { table } from "../protocol/words.ts"; export const t = table;',
    "src/model/own.ts": 'import { t } from "./borrow.ts"; export const own = t;',
    "src/protocol/words.ts": 'export { table } from "../collections/table.ts";',
    "src/signing/sign.ts": 'import { Worker } from "node:worker_threads"; export const sign = Worker;',
    "src/report/page.ts": 'import { row } from "../engine/state.ts"; export const page = row;',
    "src/report/clock.ts": 'import { hostname } from "node:os"; export const host = hostname;',
    "src/backtest/run.ts": 'import { sign } from "../signing/sign.ts"; export const run = sign;',
    "src/backtest/helper.ts": 'import { help } from "../../test/help.ts"; export const h = help;',
    "src/backtest/peer.ts": 'import { test } from "vitest"; export const peer = test;',
    "src/cellar/mouse.ts": 'import { one } from "../math/fixed.ts"; export const mouse = one;',
    "test/help.ts": "export const help = 1;",
  });
  cpSync(join(projectRoot, ".dependency-cruiser.cjs"), join(folder, ".dependency-cruiser.cjs"));
  cpSync(join(projectRoot, "scripts/floors.json"), join(folder, "scripts/floors.json"));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");

  const found = check(folder);
  expect(found.map((line) => line.replace(/ -> .*vitest.*/, " -> vitest"))).toEqual([
    "floor-engine: src/engine/sideways.ts -> src/signing/sign.ts",
    "floor-protocol: src/protocol/typeUpwards.ts -> src/engine/state.ts",
    "floor-protocol: src/protocol/upwards.ts -> src/engine/state.ts",
    "floor-report: src/report/page.ts -> src/engine/state.ts",
    "index-is-for-users: src/engine/barrel.ts -> src/math/index.ts",
    "known-folder: src/cellar/mouse.ts -> src/math/fixed.ts",
    "model-is-independent: src/model/borrow.ts -> src/protocol/words.ts",
    "no-cycles: src/engine/first.ts -> src/engine/second.ts",
    "pure-floors-no-runtime: src/engine/file.ts -> fs",
    "pure-floors-no-runtime: src/report/clock.ts -> os",
    "resolvable: src/engine/nowhere.ts -> ./gone.ts",
    "runtime-dependencies: src/backtest/peer.ts -> vitest",
    "source-stands-alone: src/backtest/helper.ts -> test/help.ts",
  ]);
});

test("the table of floors, the folders of src and the architecture page name the same folders", () => {
  const folders = readdirSync(join(projectRoot, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(projectRoot, "src", entry.name)).length > 0)
    .map((entry) => entry.name);
  expect(Object.keys(floors)).toEqual(expect.arrayContaining(folders));

  const page = readFileSync(join(projectRoot, "docs/architecture.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|[^|]*\| ([^|]*) \|$/gm)];
  const drawn = Object.fromEntries(
    rows.map(([, folder, below]) => [folder, [...`${below}`.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)]),
  );
  expect(drawn).toEqual(floors);
});
