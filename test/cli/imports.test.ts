import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { createFolder, projectRoot, runNode } from "../helpers/project.ts";

const imports = join(projectRoot, "bin/imports.js");
const preload = pathToFileURL(join(projectRoot, "test/helpers/traceModules.ts")).href;

/** The own modules that the sources of a backtest load, in order. */
function traceSources(...options: string[]): string[] {
  const file = pathToFileURL(join(projectRoot, "src/product/backtest/index.ts")).href;
  const program = `await import(${JSON.stringify(file)})`;
  const { stderr } = runNode(["--import", preload, ...options, "--input-type=module", "--eval", program]);
  return stderr.split("\n").filter((url) => url.includes("/src/"));
}

test("shortened imports load the modules that Node finds", () => {
  const found = traceSources();
  expect(found.length).toBeGreaterThan(300);
  expect(traceSources("--require", imports)).toEqual(found);
});

// Goal: a bundle is the library. Method: the names that both export.
describe("a bundled library exports what the library exports", () => {
  const { findBundles } = createRequire(import.meta.url)(join(projectRoot, "bin/libraries.js")) as {
    findBundles(): ReadonlyMap<string, string>;
  };
  const bundles = [...findBundles()];

  test("there are bundles in a clone", () => {
    expect(bundles.map(([library]) => library)).toContain("typebox");
  });

  test.each(bundles)("%s", (library, bundle) => {
    const from = (what: string) => `Object.keys(await import(${JSON.stringify(what)})).sort()`;
    const program = `console.log(JSON.stringify([${from(library)}, ${from(pathToFileURL(bundle).href)}]))`;
    const { stdout } = runNode(["--input-type=module", "--eval", program]);
    const [names, bundled] = JSON.parse(stdout) as [string[], string[]];
    // Of CommonJS, a bundle has the default export alone, which is how it is imported here.
    const isCommon = names.includes("module.exports");
    expect(bundled).toEqual(isCommon ? ["default"] : names);
  });
});

/** A clone of one module, with a library in one file. */
function createClone(main: string): string {
  const folder = createFolder({
    "package.json": '{ "type": "module", "dependencies": { "typebox": "1.0.0" } }',
    "src/cli/main.ts": main,
    "src/cli/other.ts": "export const word: string = 'other';",
    "node_modules/typebox/package.json": '{ "type": "module", "exports": "./index.js" }',
    "node_modules/typebox/index.js": "export const Type = 'not bundled';",
  });
  cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
  return folder;
}

test("where nothing can bundle, the library itself is loaded", () => {
  const folder = createClone(`
    import { Type } from "typebox";
    import { word } from "./other.ts";
    export const main = () => console.log(Type, word);`);
  expect(runNode(["bin/perplab.js"], { cwd: folder })).toMatchObject({ stdout: "not bundled other\n", status: 0 });
});

test("in a clone, the first start makes the bundles, and further ones load them", () => {
  const folder = createFolder({
    "package.json": '{ "type": "module", "dependencies": { "typebox": "1.4.3" } }',
    "src/cli/main.ts": `
      import { Type } from "typebox";
      export const main = () => console.log(typeof Type.Object);`,
  });
  cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  const installed = readdirSync(join(projectRoot, "node_modules")).filter((name) => !name.startsWith("."));
  for (const name of installed)
    symlinkSync(join(projectRoot, "node_modules", name), join(folder, "node_modules", name));
  const start = () => runNode(["--import", preload, "bin/perplab.js"], { cwd: folder });
  expect(start().stdout).toBe("function\n");
  expect(readdirSync(join(folder, "node_modules/.cache/perplab"))).toHaveLength(1);
  const { stdout, stderr } = start();
  expect(stdout).toBe("function\n");
  expect(stderr).toContain("/.cache/perplab/");
  expect(stderr).not.toContain("node_modules/typebox/");
});

test("a module that is missing is named", () => {
  const folder = createClone('import { word } from "./missing.ts"; export const main = () => console.log(word);');
  const { stderr, status } = runNode(["bin/perplab.js"], { cwd: folder });
  expect(stderr).toContain("src/cli/missing.ts");
  expect(status).toBe(1);
});
