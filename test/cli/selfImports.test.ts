import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../helpers/project.ts";

const preload = pathToFileURL(join(projectRoot, "test/helpers/selfImports.ts")).href;

test("a file anywhere imports the modules of the perplab that runs it", () => {
  const folder = createFolder({
    "mine.ts": `
      import * as protocol from "perplab/protocol";
      import * as same from ${JSON.stringify(pathToFileURL(join(projectRoot, "src/protocol/index.ts")).href)};
      console.log(Object.keys(protocol).length > 0 && protocol === same);`,
  });
  const { stdout, stderr } = runNode(["--import", preload, "mine.ts"], { cwd: folder });
  expect(stderr).toBe("");
  expect(stdout).toBe("true\n");
});

test("a module that perplab does not have is not found", () => {
  const folder = createFolder({ "mine.ts": 'import "perplab/no-such-module";' });
  const { status, stderr } = runNode(["--import", preload, "mine.ts"], { cwd: folder });
  expect(stderr).toContain("ERR_MODULE_NOT_FOUND");
  expect(status).toBe(1);
});
