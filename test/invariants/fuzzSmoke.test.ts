import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../scripts/runtimes.ts";
import { projectRoot } from "../helpers/project.ts";

const runSmoke = (...args: string[]) =>
  run(process.execPath, [join(projectRoot, "scripts", "fuzzSmoke.ts"), ...args], { cwd: projectRoot });

describe("the short search", () => {
  test.each(["freeUnit", "lateTrigger", "keptReserve"])(
    "finds the planted %s, and says how to see it again",
    (canary) => {
      const { status, stderr } = runSmoke("--canary", canary, "--from", "1", "--seconds", "20");
      expect(status).toBe(1);
      expect(stderr).toMatch(/^VIOLATED \w+ at seed \d+, block \d+/);
      expect(stderr).toMatch(/again: npm run fuzz:smoke -- --seed \d+ --blocks \d+\n$/);
    },
  );

  test("repeats a seed with a table of what it did", () => {
    const { status, stdout } = runSmoke("--seed", "23", "--blocks", "30");
    expect(status).toBe(0);
    expect(stdout).toMatch(/placeOrder +\d+ +\d+ +\d+\n/);
    expect(stdout).toContain("every invariant held");
  });

  test("does not pass for a search when it saw too little", () => {
    const { status, stderr } = runSmoke("--from", "1", "--seconds", "0", "--blocks", "2");
    expect(status).toBe(3);
    expect(stderr).toMatch(/^VACUOUS/);
  });

  test.each([["--canary", "none"], ["--seconds", "x"], ["--nope"]])("refuses %s %s", (...args) => {
    expect(runSmoke(...args).status).toBe(2);
  });
});
