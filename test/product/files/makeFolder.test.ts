import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../../src/product/files/makeFolder.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

test("makes the missing folders of a path, and leaves one that is there", () => {
  const folder = join(createFolder(), "a", "b");
  makeFolder(folder);
  writeFileSync(join(folder, "kept"), "");
  makeFolder(folder);
  expect(existsSync(join(folder, "kept"))).toBe(true);
});

test("a file in the way is named", () => {
  const file = join(createFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(join(file, "a", "b"))).toThrow(expect.objectContaining({ code: "EEXIST", path: file }));
});

test("ends where the system has the folder above and says that it is missing", (context) => {
  if (!existsSync("/proc/self")) context.skip("no /proc here");
  const source = JSON.stringify(join(projectRoot, "src/product/files/makeFolder.ts"));
  const program = `import(${source}).then(({ makeFolder }) => makeFolder("/proc/none/deeper"))`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    timeout: 20_000,
  });
  expect([ended.signal, ended.status]).toEqual([null, 1]);
  expect(ended.stderr).toContain("'/proc/none'");
});
