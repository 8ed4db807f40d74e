import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examplesOf } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { callCliIn } from "../helpers/cli.ts";
import { NO_REDIS, TestRedis } from "../helpers/cluster/redis.ts";
import { projectRoot, runNode } from "../helpers/project.ts";

/** Runs an example in a process of its own. */
function start(folder: string, args: string): { readonly exitCode: number | null; readonly err: string } {
  const { status, stderr } = runNode([join(projectRoot, "bin/perplab.js"), ...args.split(" ")], { cwd: folder });
  return { exitCode: status, err: stderr };
}

// The examples of all commands, typed one after the other in one folder that has the clone's data: a later one may use
// what an earlier one wrote.
/** The queue of the examples; a test has one at another port. */
const QUEUE = "redis://127.0.0.1:6379";

describe("every example of the help runs, as it is written", () => {
  let folder: string;
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    if (NO_REDIS === undefined) redis = await TestRedis.start();
    folder = mkdtempSync(join(tmpdir(), "perplab-examples-"));
    for (const name of ["data", "scenarios", "examples"]) {
      symlinkSync(join(projectRoot, name), join(folder, name), "junction");
    }
  });
  afterAll(async () => {
    await redis?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const entry of commands) {
    const { name } = entry;
    const examples = examplesOf(entry);
    test(`${name} has examples`, () => expect(examples.length).toBeGreaterThan(0));
    test.each(examples.map(({ args }) => args))("perplab %s", async (given) => {
      if (given.includes(QUEUE) && redis === undefined) return;
      const args = given.replace(QUEUE, redis?.url ?? QUEUE);
      expect(args, "an example begins with its command").toMatch(new RegExp(`^${name}( |$)`));
      // These have the process for themselves; `bin.test.ts` and the pages start the rest of the command line in one.
      const isAlone = name === "run" || name === "strategy-host";
      const { exitCode, err } = isAlone ? start(folder, args) : await callCliIn(folder, ...args.split(" "));
      expect(exitCode, err).toBe(0);
    });
  }

  test("a report is a page", () => {
    expect(readFileSync(join(folder, "report.html"), "utf8")).toMatch(/^<!doctype html>/i);
  });
});

test("every command has its words in order", () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  for (const { name, summary, description } of commands) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
    expect(description, name).toMatch(/^[A-Z].*\.$/);
  }
});
