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

// That the source keeps to its floors is `npm run check:floors`.

// Goal: the check sees what it is there for. Method: a small tree with one fault for every rule, and next to each
// fault something alike that is allowed; the list of findings has to be exactly the faults.
test("every planted fault is found, and nothing else", () => {
  const folder = createFolder({
    "package.json": readFileSync(join(projectRoot, "package.json"), "utf8"),
    "src/ground/math/fixed.ts": "export const one = 1;",
    "src/ground/math/index.ts": 'export { one } from "./fixed.ts";',
    "src/ground/collections/table.ts": 'import { one } from "../math/fixed.ts"; export const table = one;',
    "src/protocol/upwards.ts": 'import { row } from "../venue/engine/state.ts"; export const up = row;',
    "src/protocol/typeUpwards.ts": 'import type { Row } from "../venue/engine/state.ts"; export type Up = Row;',
    "src/protocol/hash.ts": 'import { createHash } from "node:crypto"; export const hash = createHash;',
    "src/venue/engine/state.ts":
      'import { table } from "../../ground/collections/table.ts"; export const row = table; export type Row = number;',
    "src/venue/engine/sideways.ts": 'import { sign } from "../../client/signing/sign.ts"; export const s = sign;',
    "src/venue/engine/file.ts": 'import { readFileSync } from "node:fs"; export const read = readFileSync;',
    "src/venue/engine/barrel.ts": 'import { one } from "../../ground/math/index.ts"; export const b = one;',
    "src/venue/engine/first.ts": 'import { second } from "./second.ts"; export const first = () => second;',
    "src/venue/engine/second.ts": 'import { first } from "./first.ts"; export const second = () => first;',
    "src/venue/engine/parent.ts": 'import { child } from "./child.ts"; export type Parent = 1; export const p = child;',
    "src/venue/engine/child.ts": 'import type { Parent } from "./parent.ts"; export const child: Parent = 1;',
    "src/venue/engine/tables/schema.ts": "export type Row = number; export const rows = 1;",
    "src/venue/engine/tables/fork.ts": 'import type { Index } from "../index/orders.ts"; export type Fork = Index;',
    "src/venue/engine/index/orders.ts": 'import { rows } from "../tables/schema.ts"; export type Index = typeof rows;',
    "src/venue/engine/steps/close.ts": 'import type { Index } from "../index/orders.ts"; export type Close = Index;',
    "src/venue/engine/steps/late/last.ts": 'import type { Close } from "../close.ts"; export type Last = Close;',
    "src/venue/engine/nowhere.ts": 'import { gone } from "./gone.ts"; export const n = gone;',
    "src/proof/model/state.ts": 'import type { table } from "../../protocol/words.ts"; export type T = typeof table;',
    "src/proof/model/borrow.ts": 'import { table } from "../../protocol/words.ts"; export const t = table;',
    "src/proof/model/own.ts": 'import { t } from "./borrow.ts"; export const own = t;',
    "src/protocol/words.ts": 'export { table } from "../ground/collections/table.ts";',
    "src/client/signing/sign.ts": 'import { Worker } from "node:worker_threads"; export const sign = Worker;',
    "src/product/report/page.ts": 'import { row } from "../../venue/engine/state.ts"; export const page = row;',
    "src/product/report/clock.ts": 'import { hostname } from "node:os"; export const host = hostname;',
    "src/product/backtest/run.ts": 'import { sign } from "../../client/signing/sign.ts"; export const run = sign;',
    "src/product/backtest/helper.ts": 'import { help } from "../../../test/help.ts"; export const h = help;',
    "src/product/backtest/peer.ts": 'import { test } from "vitest"; export const peer = test;',
    "src/product/backtest/optional.ts": 'import { Queue } from "bullmq"; export const queue = Queue;',
    "src/product/backtest/laboratory.ts": 'import { own } from "../../proof/model/own.ts"; export const o = own;',
    "src/product/scenario/run.ts":
      'import { statement } from "../../proof/invariants/statements.ts"; export const run = statement;',
    "src/product/scenario/past.ts": 'import { list } from "../../proof/invariants/list.ts"; export const past = list;',
    "src/proof/invariants/statements.ts": 'export { list as statement } from "./list.ts";',
    "src/proof/invariants/list.ts": "export const list = 1;",
    "src/server/face/http/cors.ts": "export const cors = 1;",
    "src/server/face/views/book.ts": 'import { cors } from "../http/cors.ts"; export const book = cors;',
    "src/server/face/server.ts": 'import { cors } from "./http/cors.ts"; export const server = cors;',
    "src/client/sdk/read.ts": 'import type { Row } from "../../venue/engine/state.ts"; export type R = Row;',
    "src/client/sdk/ask.ts": 'import { serve } from "../../server/face/serve.ts"; export const ask = serve;',
    "src/server/face/serve.ts": "export const serve = 1;",
    "src/cellar/mouse.ts": 'import { one } from "../ground/math/fixed.ts"; export const mouse = one;',
    "test/help.ts": "export const help = 1;",
  });
  cpSync(join(projectRoot, ".dependency-cruiser.cjs"), join(folder, ".dependency-cruiser.cjs"));
  cpSync(join(projectRoot, "scripts/floors.json"), join(folder, "scripts/floors.json"));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");

  const found = check(folder);
  expect(found.map((line) => line.replace(/ -> .*(vitest|bullmq).*/, " -> $1"))).toEqual([
    "floor-client/sdk: src/client/sdk/ask.ts -> src/server/face/serve.ts",
    "floor-client/sdk: src/client/sdk/read.ts -> src/venue/engine/state.ts",
    "floor-product/backtest: src/product/backtest/laboratory.ts -> src/proof/model/own.ts",
    "floor-product/report: src/product/report/page.ts -> src/venue/engine/state.ts",
    "floor-protocol: src/protocol/typeUpwards.ts -> src/venue/engine/state.ts",
    "floor-protocol: src/protocol/upwards.ts -> src/venue/engine/state.ts",
    "floor-server/face/views: src/server/face/views/book.ts -> src/server/face/http/cors.ts",
    "floor-venue/engine: src/venue/engine/sideways.ts -> src/client/signing/sign.ts",
    "index-is-for-users: src/venue/engine/barrel.ts -> src/ground/math/index.ts",
    "known-folder: src/cellar/mouse.ts -> src/ground/math/fixed.ts",
    "laboratory-is-for-the-command-line: src/product/backtest/laboratory.ts -> src/proof/model/own.ts",
    "model-is-independent: src/proof/model/borrow.ts -> src/protocol/words.ts",
    "no-cycles: src/venue/engine/first.ts -> src/venue/engine/second.ts",
    "no-folder-circles: src/venue/engine/index -> src/venue/engine/tables",
    "no-folder-circles: src/venue/engine/tables -> src/venue/engine/index",
    "no-laboratory: src/product/backtest/laboratory.ts -> src/proof/model/own.ts",
    "no-laboratory: src/product/scenario/past.ts -> src/proof/invariants/list.ts",
    "optional-packages-in-one-place: src/product/backtest/optional.ts -> bullmq",
    "pure-floors-no-runtime: src/product/report/clock.ts -> os",
    "pure-floors-no-runtime: src/venue/engine/file.ts -> fs",
    "resolvable: src/venue/engine/nowhere.ts -> ./gone.ts",
    "runtime-dependencies: src/product/backtest/peer.ts -> vitest",
    "source-is-independent: src/product/backtest/helper.ts -> test/help.ts",
  ]);
});

test("the table of floors, the folders of src and the architecture page name the same folders", () => {
  const foldersOf = (path: string) =>
    readdirSync(join(projectRoot, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(projectRoot, path, entry.name)).length > 0)
      .map((entry) => entry.name);
  // A room with floors inside is listed with each of its own rooms.
  const isRoom = (path: string) => path in floors;
  const roomsOf = (path: string): string[] =>
    foldersOf(`src/${path}`)
      .map((name) => `${path}/${name}`)
      .flatMap((room) => {
        const inner = roomsOf(room);
        // A folder of rooms alone is none itself.
        const hasFiles = readdirSync(join(projectRoot, "src", room)).some((name) => name.endsWith(".ts"));
        if (!inner.some(isRoom)) return [room];
        return hasFiles ? [room, ...inner] : inner;
      });
  const rooms = foldersOf("src").flatMap((wing) => (isRoom(wing) ? [wing] : roomsOf(wing)));
  expect(Object.keys(floors).sort()).toEqual(rooms.sort());

  const page = readFileSync(join(projectRoot, "docs/architecture.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z/-]+)` \|[^|]*\| ([^|]*) \|$/gm)];
  const drawn = Object.fromEntries(
    rows.map(([, folder, below]) => [folder, [...`${below}`.matchAll(/`([a-z/-]+)`/g)].map(([, name]) => name)]),
  );
  expect(drawn).toEqual(floors);
});
