import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TapeFolder } from "../../../../../src/product/cluster/runs/tapes/tapeFolder.ts";
import { createFolder } from "../../../../helpers/project.ts";
import { makeTape } from "./helpers.ts";

test("a tape is found by its hash, under any name and in any folder below", async () => {
  const [tape, other] = [await makeTape(40), await makeTape(41)];
  const folder = createFolder({ "broken.tape": "not a tape", "notes.txt": "" });
  mkdirSync(join(folder, "deep"));
  copyFileSync(tape.path, join(folder, "deep/any.tape"));
  copyFileSync(other.path, join(folder, "btc.tape"));
  const tapes = new TapeFolder(folder);
  expect(await tapes.find(tape.hash, "btc.tape")).toBe(join(folder, "deep/any.tape"));
  expect(await tapes.find(other.hash, "btc.tape")).toBe(join(folder, "btc.tape"));
  // A tape that was moved is found again.
  rmSync(join(folder, "deep/any.tape"));
  copyFileSync(tape.path, join(folder, "moved.tape"));
  expect(await tapes.find(tape.hash, "btc.tape")).toBe(join(folder, "moved.tape"));
});

test("a tape that is not there is named by hash and by name, and is found once it is there", async () => {
  const tape = await makeTape(40);
  const folder = join(createFolder(), "later");
  const tapes = new TapeFolder(folder);
  const refused = { code: "TAPE_MISSING", place: folder, message: expect.stringContaining(`${tape.hash} (btc.tape`) };
  await expect(tapes.find(tape.hash, "btc.tape")).rejects.toMatchObject(refused);
  mkdirSync(folder);
  writeFileSync(join(folder, "btc.tape"), "another content");
  await expect(tapes.find(tape.hash, "btc.tape")).rejects.toMatchObject(refused);
  copyFileSync(tape.path, join(folder, "btc.tape"));
  expect(await tapes.find(tape.hash, "btc.tape")).toBe(join(folder, "btc.tape"));
});
