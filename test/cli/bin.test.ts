import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createFolder, projectRoot, runNode, writeFiles } from "../helpers/project.ts";

test("the command line starts from the sources, without a build", () => {
  const { status, stdout, stderr } = runNode(["bin/perplab.js", "--version"]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(status).toBe(0);
});

test("the exit code of a wrong call reaches the shell", () => {
  const { status, stderr } = runNode(["bin/perplab.js", "no-such-command"]);
  expect(stderr).toContain("error USAGE");
  expect(status).toBe(2);
});

// Method: a file without newer syntax is the same after it was compiled to ECMAScript 5.
test("the first file is written so that any Node can read it", () => {
  const compile = (text: string, target: ts.ScriptTarget) =>
    ts.transpileModule(text, { compilerOptions: { target, module: ts.ModuleKind.CommonJS } }).outputText;
  const isOld = (text: string) => compile(text, ts.ScriptTarget.ES5) === compile(text, ts.ScriptTarget.ESNext);
  expect(isOld(readFileSync(join(projectRoot, "bin/perplab.js"), "utf8"))).toBe(true);
  expect(isOld(readFileSync(join(projectRoot, "bin/load.js"), "utf8"))).toBe(false);
});

// Goal: what happens on a Node that is too old. Method: bin in a folder of its own, started by a script that makes
// this Node say that it is another version. Real old versions run in `npm run check:install`.
describe("on a Node that is too old", () => {
  const oldNode = (version: string) => `
    Object.defineProperty(process, "version", { value: "v${version}" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
    require("./bin/perplab.js");`;

  function runAs(version: string, folder: string, args: string[] = [], env: Record<string, string> = {}) {
    cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "old.cjs": oldNode(version),
    });
    return runNode(["old.cjs", ...args], { cwd: folder, env });
  }

  test.each(["4.9.1", "12.22.0", "20.20.2", "22.17.1", "23.5.0"])("%s: one line, exit code 2", (version) => {
    const { status, stdout, stderr } = runAs(version, createFolder());
    expect(stderr).toBe(
      `perplab needs Node 22.18 or newer, and this is v${version}: install a newer one from https://nodejs.org.\n`,
    );
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  test("in a clone without its libraries, the line says to install them", () => {
    const { status, stderr } = runAs("20.20.2", createFolder({ "src/cli/main.ts": "" }));
    expect(stderr).toMatch(/^perplab needs Node 22\.18 .*`npm ci`.*\n$/);
    expect(status).toBe(2);
  });

  const main = `export function main(argv: string[]) { console.log(argv.join("|")); process.exitCode = 7; }`;

  test("in a clone, its own Node takes over, with the same arguments and exit code", () => {
    const folder = createFolder({ "src/cli/main.ts": main });
    mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
    symlinkSync(process.execPath, join(folder, "node_modules/node/bin/node"));
    const { status, stdout } = runAs("20.20.2", folder, ["a b", "--c"]);
    expect(stdout).toBe("a b|--c\n");
    expect(status).toBe(7);
  });

  // Goal: the child hears each signal once, whether it was sent to the first process alone or by a terminal to its
  // group.
  test.runIf(process.platform !== "win32").each([
    ["SIGINT", "process"],
    ["SIGHUP", "process"],
    ["SIGTERM", "process"],
    ["SIGINT", "group"],
  ] as const)("%s to the %s reaches its own Node once", async (signal, target) => {
    const folder = createFolder({
      "src/cli/main.ts": `export function main() {
        let heard = 0;
        process.on("${signal}", () => {
          heard++;
          setTimeout(() => { console.log("heard " + heard); process.exit(3); }, 200);
        });
        setInterval(() => {}, 1000);
        console.log("ready");
      }`,
    });
    mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
    symlinkSync(process.execPath, join(folder, "node_modules/node/bin/node"));
    cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
    writeFiles(folder, { "package.json": '{ "type": "module" }', "old.cjs": oldNode("20.20.2") });
    const child = spawn(process.execPath, ["old.cjs"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    let text = "";
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (data: Buffer) => {
        text += String(data);
        if (text.includes("ready")) resolve();
      });
    });
    process.kill(target === "group" ? -child.pid! : child.pid!, signal);
    expect(await ended).toBe(3);
    expect(text).toBe("ready\nheard 1\n");
  });

  // Goal: a strategy that loops for ever can be ended. Method: the second signal comes when the first was not heard.
  test.runIf(process.platform !== "win32")("a second signal ends its own Node, if that ignores the first", async () => {
    const folder = createFolder({ "src/cli/main.ts": DEAF });
    mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
    symlinkSync(process.execPath, join(folder, "node_modules/node/bin/node"));
    expect(await interruptTwice(folder, oldNode("20.20.2"))).toBe("SIGKILL");
  });

  test("a clone's own Node that is too old itself does not start itself for ever", () => {
    const { status, stderr } = runAs("20.20.2", createFolder({ "src/cli/main.ts": main }), [], {
      PERPLAB_HANDED_OVER: "1",
    });
    expect(stderr).toMatch(/^perplab needs Node/);
    expect(status).toBe(2);
  });
});

/** A command line that never comes back to hear a signal. */
const DEAF = `export function main() {
  process.on("SIGINT", () => {});
  console.log("ready");
  for (;;) {}
}`;

/** Starts a script next to a copy of `bin`, interrupts it twice, and returns the signal that ended it. */
async function interruptTwice(folder: string, script: string, args: string[] = []): Promise<string | null> {
  cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
  writeFiles(folder, { "package.json": '{ "type": "module" }', "start.cjs": script });
  const child = spawn(process.execPath, ["start.cjs", ...args], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<string | null>((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGINT");
  await setTimeout(100);
  child.kill("SIGINT");
  return ended;
}

// On a terminal, so that Ctrl-C ends a strategy that loops for ever, a run has a process of its own.
test.runIf(process.platform !== "win32")(
  "on a terminal, a second signal ends a backtest that ignores the first",
  async () => {
    const folder = createFolder({ "src/cli/main.ts": DEAF });
    const script = `process.stdin.isTTY = true; require("./bin/perplab.js");`;
    expect(await interruptTwice(folder, script, ["backtest"])).toBe("SIGKILL");
  },
);

test("a clone whose libraries are missing says so in one line", () => {
  const folder = createFolder({
    "package.json": '{ "type": "module" }',
    "src/cli/main.ts": 'import { Command } from "commander"; export const main = () => new Command();',
  });
  cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
  const { status, stderr } = runNode(["bin/perplab.js"], { cwd: folder });
  expect(stderr).toMatch(/^perplab: its libraries are not installed: run `npm ci` in .*\n$/);
  expect(status).toBe(2);
});

// Help has to come at once. Method: not the clock, but what is loaded for it: no command, and no library.
test("help loads no more than its pages", () => {
  const preload = pathToFileURL(join(projectRoot, "test/helpers/traceModules.ts")).href;
  const { stderr } = runNode(["--import", preload, "bin/perplab.js", "--help"]);
  const loaded = stderr.split("\n").filter((url) => url !== "");
  expect(loaded.some((url) => url.endsWith("/src/cli/helpPages.ts"))).toBe(true);
  expect(loaded.filter((url) => !/\/(bin\/\w+\.js|src\/cli\/(main|help|helpPages)\.ts)$/.test(url))).toEqual([]);
});
