import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { prepareTape } from "../../../src/cli/runs/prepareTape.ts";
import { openTape } from "../../../src/product/market-data/index.ts";
import { createRecordingTerminal } from "../../helpers/terminal.ts";
import { createFolder } from "../../product/market-data/helpers.ts";

const folder = createFolder();
const ROW = "1704067200000,100,101,99,100,5,1704067259999,0,900,0,0,0\n";

function write(path: string, content: string): string {
  const file = folder.path(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

// The columns are the same, so the folder alone decides about the layout.
test("equal files of one name in two folders are two tapes, and each is made once", async () => {
  const store = folder.path("store");
  const context = { terminal: createRecordingTerminal(), json: false, call: () => "" };
  const prepare = (path: string): Promise<string> => prepareTape(context, [path], {}, store);
  const files = ["klines", "markPriceKlines", "indexPriceKlines"].map((name) => write(`${name}/BTC-1m.csv`, ROW));
  const tapes = [];
  for (const file of files) tapes.push(await prepare(file));
  expect(new Set(tapes).size).toBe(3);
  const layouts = [];
  for (const path of tapes) {
    const tape = await openTape(path);
    layouts.push(tape.manifest.sources[0]!.layout);
    await tape.close();
  }
  expect(layouts).toEqual(["klines", "markPriceKlines", "indexPriceKlines"]);
  expect(await prepare(files[1]!)).toBe(tapes[1]);
  expect(readdirSync(dirname(tapes[0]!))).toHaveLength(3);
  // Other contents under the same path are another tape.
  write("klines/BTC-1m.csv", ROW.replace("100,101", "100,102"));
  expect(tapes).not.toContain(await prepare(files[0]!));
});
