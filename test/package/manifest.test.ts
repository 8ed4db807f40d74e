import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { ACTION_NAMES } from "../../src/protocol/actions/index.ts";
import { projectRoot } from "../helpers/project.ts";

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;

test("every room with an index is a module of the package, and every module has its index", () => {
  const indexes = globSync("src/{*,*/*}/index.ts", { cwd: projectRoot })
    .map((file) => file.split(sep).join("/").slice("src/".length, -"/index.ts".length))
    .filter((room) => room !== "protocol/actions");
  // What the client has for Node alone is a file of its own, so that browsers do not load it.
  const { "./sdk/node": clientForNode, ...rest } = manifest.exports;
  expect(clientForNode).toEqual({ types: "./dist/client/sdk/node.d.ts", default: "./dist/client/sdk/node.js" });
  const modules = Object.entries(rest).filter(([path]) => !path.endsWith(".json"));
  // The wing venue is `perplab/engine`. Of the server, only a venue for tests is for programs: the rest is the
  // command's.
  const nameOf = (room: string) => (room === "venue" ? "./engine" : `./${room.split("/").at(-1)}`);
  const rooms = indexes.map((room) => [
    nameOf(room),
    { types: `./dist/${room}/index.d.ts`, default: `./dist/${room}/index.js` },
  ]);
  expect(Object.fromEntries(modules)).toEqual(Object.fromEntries(rooms));
});

// A client in another language builds on these: it needs no clone of the repository.
test("the contract documents and the wire vectors are in the package, under names of their own", () => {
  const documents = Object.entries(manifest.exports).filter(
    ([path]) => path.endsWith(".json") && path !== "./package.json",
  );
  expect(Object.fromEntries(documents)).toEqual({
    "./openapi.json": "./docs/reference/openapi.json",
    "./openapi.devnet.json": "./docs/reference/openapi.devnet.json",
    "./asyncapi.json": "./docs/reference/asyncapi.json",
    "./report.schema.json": "./docs/reference/report.schema.json",
    "./sweep.schema.json": "./docs/reference/sweep.schema.json",
    "./vectors/*.json": "./test/vectors/*.json",
  });
  const packed = new Set(manifest.files.flatMap((pattern) => globSync(pattern, { cwd: projectRoot })));
  const resolved = documents.flatMap(([, file]) =>
    globSync((file as string).replace("*", "**/*"), { cwd: projectRoot }),
  );
  expect(resolved.length).toBe(5 + ACTION_NAMES.length + 2);
  expect(resolved.filter((file) => !packed.has(file))).toEqual([]);
  for (const action of ACTION_NAMES) expect(resolved).toContain(`test/vectors/${action}.json`);
});

test("every dependency is pinned to one version", () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

describe("the lock file", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { version?: string; integrity?: string; optionalDependencies?: Record<string, string> }>;
  };

  test("names a version and a hash for every package, and no address", () => {
    for (const [path, entry] of Object.entries(packages)) {
      if (path === "") continue;
      expect(entry.version, path).toMatch(/^\d/);
      expect(entry.integrity, path).toMatch(/^sha512-/);
      expect(entry, path).not.toHaveProperty("resolved");
    }
  });

  // `npm ci` refuses a lock file in which a build for another platform is missing.
  test("has the builds of optional packages for every platform", () => {
    for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
      for (const name of Object.keys(optionalDependencies)) {
        const found = `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
        expect(found, `${name}, of ${path}`).toBe(true);
      }
    }
  });
});

describe("the continuous check", () => {
  const wordsOf = (kind: "step" | "lane") =>
    [...read(".ci/run").matchAll(new RegExp(`^${kind} ([\\w: -]+)`, "gm"))].map(([, words]) => words!.trim());

  test("installs and tests with exactly the commands of the README, first", () => {
    const [, install, tests] = /```sh\n(npm ci) && (npm test)\n```/.exec(read("README.md")) ?? [];
    expect(wordsOf("step")).toEqual([install, tests, "npm run test:slow"]);
  });

  test("runs npm scripts that exist, and never a Node of the machine", () => {
    const scripts = wordsOf("lane").flatMap((lane) => lane.split(" "));
    expect(scripts.length).toBeGreaterThan(8);
    for (const script of scripts) expect(manifest.scripts).toHaveProperty([script]);
    expect(read(".ci/run")).not.toMatch(/^\s*(node|npx)\b/m);
  });

  // What these check is in no test.
  test("runs every check of the package, the audit of its dependencies among them, and every scenario", () => {
    const scripts = wordsOf("lane").flatMap((lane) => lane.split(" "));
    const checks = Object.keys(manifest.scripts).filter((name) => name.startsWith("check:"));
    expect(checks).toContain("check:audit");
    expect(scripts).toEqual(expect.arrayContaining([...checks, "scenarios"]));
  });
});

test("the commands of the README and the guides are scripts that exist", () => {
  const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: projectRoot })].map(read).join("\n");
  const scripts = [...pages.matchAll(/npm (?:run )?(start|test|[\w-]+:[\w-]+|build|lint|generate|bench)\b/g)];
  expect(scripts.length).toBeGreaterThan(3);
  for (const [command, script] of scripts) expect(manifest.scripts, command).toHaveProperty([`${script}`]);
});

// `npm run check:install` packs and installs it.
test("the README installs the package by the name that npm gives it", () => {
  const [, , name] =
    /```sh\n# [^\n]*\nnpm pack\n(# [^\n]*)\nnpm pkg set type=module\nnpm install \.\.\/perplab\/(\S+)\n```/.exec(
      read("README.md"),
    ) ?? [];
  expect(name).toBe(`perplab-${manifest.version}.tgz`);
});

test("what the package ships exists in the clone, but for the build", () => {
  for (const file of manifest.files.filter((name) => !name.startsWith("!") && name !== "dist")) {
    expect(globSync(file, { cwd: projectRoot }), file).not.toEqual([]);
  }
});
