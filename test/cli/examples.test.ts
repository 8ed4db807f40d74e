import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examplesOf } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { createFolder, projectRoot, runNode } from "../helpers/project.ts";

// The examples of all commands, typed one after the other in one folder that has the clone's data.
test("every example of the help runs, as it is written", { timeout: 400_000 }, () => {
  const folder = createFolder();
  for (const name of ["data", "scenarios", "examples"]) {
    symlinkSync(join(projectRoot, name), join(folder, name), "junction");
  }
  for (const entry of commands) {
    const { name } = entry;
    const examples = examplesOf(entry);
    expect(examples.length, `examples of ${name}`).toBeGreaterThan(0);
    for (const { args } of examples) {
      expect(args, "an example begins with its command").toMatch(new RegExp(`^${name}( |$)`));
      const { status, stderr } = runNode([join(projectRoot, "bin/perplab.js"), ...args.split(" ")], { cwd: folder });
      expect(status, `perplab ${args}\n${stderr}`).toBe(0);
    }
  }
  expect(readFileSync(join(folder, "report.html"), "utf8")).toMatch(/^<!doctype html>/i);
});

test("every command has its words in order", () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  for (const { name, summary, description } of commands) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
    expect(description, name).toMatch(/^[A-Z].*\.$/);
  }
});
