import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

const WORLD = ["fuzz", "explore", "scenarios/worlds/insurance.yaml", "scenarios/worlds/trade.yaml", "--depth", "2"];
const AROUND = [
  "fuzz",
  "explore",
  "--around",
  "scenarios/orders/cancel-frees-reserve.yaml",
  "scenarios/orders/fees.yaml",
];
const FEW = ["--no-model", "--invariants", "reserves,conservation,headMoves"];

// Goal: one report for any number of threads. Method: threads of the command, with and without a planted fault.
describe.each([
  ["worlds", [...WORLD, ...FEW]],
  ["steps around scenarios", [...AROUND, ...FEW]],
])("an exploration of %s", (_name, call) => {
  test.each([
    ["everything holds", [], 0],
    ["a planted fault", ["--canary", "keptReserve"], 1],
  ])("ends and prints the same with one thread, two and five: %s", async (_case, more, exitCode) => {
    const folder = createFolder();
    const how = [...more, "--failures", join(folder, "failures"), "--json"];
    const run = async (workers: number) => {
      const { out, exitCode: ended } = await callCli(...call, ...how, "--workers", `${workers}`);
      return { out, ended };
    };
    const one = await run(1);
    expect(one.ended).toBe(exitCode);
    expect(one.out.length).toBeGreaterThan(1000);
    expect(await run(2)).toEqual(one);
    expect(await run(5)).toEqual(one);
  });
});
