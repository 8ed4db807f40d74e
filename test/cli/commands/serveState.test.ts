import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDump } from "../../../src/server/host/store/dump.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

const serve = (...args: string[]) =>
  callCli("serve", "--port", "0", "--check", "--silent", "--network-salt", "tests", ...args);

test("a served venue is written to a file at the end, and the next one starts from it", async () => {
  const folder = createFolder({});
  const [state, other, blocks] = ["venue.state", "other.state", "blocks.perplog"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  // The prices that the markets begin with are its one block.
  expect(await serve("--state", state, "--block-log", blocks)).toMatchObject({ exitCode: 0 });
  expect(readDump(readFileSync(state))).toMatchObject({ state: { height: 1 }, epoch: 0 });
  expect(await callCli("verify", blocks)).toMatchObject({ exitCode: 0 });
  expect(await serve("--load-state", state, "--dump-state", other)).toMatchObject({ exitCode: 0 });
  expect(readDump(readFileSync(other))).toMatchObject({ state: { height: 1 }, epoch: 1 });
  const store = join(folder, "store");
  expect(await serve("--state", state, "--store", store)).toMatchObject({ exitCode: 0 });
  const again = await serve("--state", state, "--store", store);
  expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining("STORE_EXISTS") });
});

test("a file that does not contain a venue is refused by its name", async () => {
  const folder = createFolder({ "note.txt": "a note" });
  const path = join(folder, "note.txt");
  expect(await serve("--load-state", path)).toMatchObject({ exitCode: 1, err: expect.stringContaining("DUMP_FORMAT") });
  expect(await serve("--load-state", join(folder, "none"))).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("FILE_MISSING"),
  });
  writeFileSync(path, "perpdump");
  expect(await serve("--state", path)).toMatchObject({ err: expect.stringContaining("DUMP_FORMAT") });
});
