import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../helpers/project.ts";

// That the generated files of this clone are up to date is `npm run check:generated`.
// Method: a project with one generator, whose file is missing, then written, then changed by hand.
test("a file that was changed by hand is found, and written again", () => {
  const folder = createFolder({
    "package.json": '{ "type": "module" }',
    "scripts/generate/one.ts": 'export const path = "src/one.ts"; export const render = () => "export const one=1";',
  });
  cpSync(join(projectRoot, "scripts/generate.ts"), join(folder, "scripts/generate.ts"));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
  const generate = (...args: string[]) => runNode(["scripts/generate.ts", ...args], { cwd: folder });

  expect(generate("--check")).toMatchObject({ status: 1, stdout: expect.stringContaining("out of date: src/one.ts") });
  expect(generate()).toMatchObject({ status: 0, stdout: expect.stringContaining("wrote src/one.ts") });
  expect(readFileSync(join(folder, "src/one.ts"), "utf8")).toBe("export const one = 1;\n");
  expect(generate("--check").status).toBe(0);

  writeFileSync(join(folder, "src/one.ts"), "export const one = 2;\n");
  expect(generate("--check").status).toBe(1);
});
