import { spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFolder, projectRoot, writeFiles } from "../helpers/project.ts";

const OLD_NODE = `
  Object.defineProperty(process, "version", { value: "v20.20.2" });
  Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
  require("./bin/perplab.js");`;

/** Starts a command line under an old Node, kills the first process, and returns what the second still prints. */
async function killFirst(main: string): Promise<string> {
  const folder = createFolder({ "src/cli/main.ts": main });
  mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
  symlinkSync(process.execPath, join(folder, "node_modules/node/bin/node"));
  cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
  writeFiles(folder, { "package.json": '{ "type": "module" }', "old.cjs": OLD_NODE });
  const first = spawn(process.execPath, ["old.cjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  let second = 0;
  onTestFinished(() => {
    try {
      if (second > 0) process.kill(second, "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  });
  // Both hold the pipe: it closes when the second has ended as well.
  const closed = new Promise((resolve) => first.stdout.once("close", resolve));
  await new Promise<void>((resolve) => {
    first.stdout.on("data", (data: Buffer) => {
      text += String(data);
      second = Number(/^ready (\d+)\n/.exec(text)?.[1] ?? 0);
      if (second > 0) resolve();
    });
  });
  first.kill("SIGKILL");
  await closed;
  return text.replace(/^ready \d+\n/, "");
}

const ready = 'setInterval(() => {}, 1000); console.log("ready " + process.pid);';

// Not on Windows, which has no SIGTERM that a process could hear.
test.runIf(process.platform !== "win32")(
  "a venue closes when the process that started its own Node is killed",
  async () => {
    const main = `export function main() {
    process.on("SIGTERM", () => { console.log("closed"); process.exit(0); });
    ${ready}
  }`;
    expect(await killFirst(main)).toBe("closed\n");
  },
);

test.runIf(process.platform !== "win32")("a command that handles no signal ends as well", async () => {
  expect(await killFirst(`export function main() { ${ready} }`)).toBe("");
});
