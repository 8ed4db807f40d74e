import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../../helpers/project.ts";
import { serveProcess } from "../../helpers/servedProcess.ts";

const perplab = join(projectRoot, "bin/perplab.js");

test("a script anywhere imports perplab/…, gets its arguments, and sets the exit code", () => {
  const folder = createFolder({
    "mine.ts": `
      import { createVenueDriver } from "perplab/simulation";
      const words: readonly string[] = process.argv.slice(2);
      console.log(typeof createVenueDriver, process.argv[1] === import.meta.filename, words.join("|"));
      process.exitCode = 7;`,
  });
  const ended = runNode([perplab, "run", "mine.ts", "--json", "a b", "--help", "--no-color"], { cwd: folder });
  expect(ended).toEqual({ status: 7, stdout: "function true --json|a b|--help|--no-color\n", stderr: "" });
});

test("a script that throws ends with 1, and shows where it threw", () => {
  const folder = createFolder({ "mine.ts": 'const why: string = "planted";\nthrow new Error(why);\n' });
  const { status, stderr } = runNode([perplab, "run", "mine.ts"], { cwd: folder });
  expect(stderr).toMatch(/mine\.ts:2:\d+/);
  expect(stderr).toContain("error SCRIPT_FAILED mine.ts: the script failed: planted");
  expect(status).toBe(1);
});

test("an import that perplab does not have is answered with those that it has", () => {
  const folder = createFolder({ "mine.ts": 'import "perplab/sdq";' });
  const { status, stderr } = runNode([perplab, "run", "mine.ts"], { cwd: folder });
  expect(stderr).toMatch(/hint: the modules are .*perplab\/sdk, perplab\/sdk\/node/);
  expect(status).toBe(1);
});

test("a script that is not there, or is a folder, ends with 2", () => {
  const folder = createFolder({ "some/a.ts": "" });
  expect(runNode([perplab, "run", "gone.ts"], { cwd: folder })).toMatchObject({
    status: 2,
    stderr: "error FILE_MISSING gone.ts: there is no such file\n",
  });
  expect(runNode([perplab, "run", "some"], { cwd: folder })).toMatchObject({
    status: 2,
    stderr: "error FILE_EXPECTED some: this is a folder, a file was expected\n",
  });
});

test("the bot that the page about testing bots starts is an example, and trades in a devnet", async () => {
  const page = readFileSync(join(projectRoot, "docs/guides/devnet.md"), "utf8");
  const [, name = "", options = ""] = /- run: node (\S+) (.*)/.exec(page) ?? [];
  expect(existsSync(join(projectRoot, "examples", name)), name).toBe(true);
  expect(page).toContain(`](../../examples/${name})`);
  const folder = createFolder();
  await serveProcess(folder);
  const ended = runNode([perplab, "run", join(projectRoot, "examples", name), ...options.split(" ")], { cwd: folder });
  expect(ended).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("no order is left") });
});
