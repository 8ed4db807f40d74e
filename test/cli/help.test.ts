import { expect, test } from "vitest";
import { isGroup } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { commandTable } from "../../src/cli/commandTable.ts";
import { findHelp } from "../../src/cli/help.ts";
import { helpPages } from "../../src/cli/helpPages.ts";
import { runProgram } from "../../src/cli/program.ts";
import { createRecordingTerminal } from "../helpers/terminal.ts";

/** Words of every call that has a help. */
const calls = [
  [],
  ...commands.flatMap((entry) => {
    const names = [entry.name, ...(isGroup(entry) || entry.alias === undefined ? [] : [entry.alias])];
    const below = isGroup(entry) ? entry.commands.map(({ name }) => [entry.name, name]) : [];
    return [...names.map((name) => [name]), ...below];
  }),
];

async function printWithCommander(argv: readonly string[], columns: number): Promise<string> {
  const terminal = { ...createRecordingTerminal(), columns };
  expect(await runProgram(argv, { commands: commandTable, version: "1.2.3", terminal })).toBe(0);
  expect(terminal.errLines).toEqual([]);
  return terminal.outLines.join("\n");
}

test("the help of every call is the one that commander prints, at any width", async () => {
  for (const words of calls) {
    for (const columns of [1, 39, 40, 60, 67, 79, 80, 97, 100, 110, 250]) {
      const argv = [...words, columns % 2 === 0 ? "--help" : "-h"];
      expect(await findHelp(argv, columns), `${argv.join(" ")} in ${columns}`).toBe(
        await printWithCommander(argv, columns),
      );
    }
  }
});

test("there is a page for every call and for nothing else", () => {
  expect(Object.keys(helpPages).sort()).toEqual(calls.map((words) => words.join(" ")).sort());
});

test("any other call is left to the program", async () => {
  for (const argv of [[], ["backtest"], ["--help", "backtest"], ["nothing", "--help"], ["run", "a.ts", "--help"]]) {
    expect(await findHelp(argv, 100), argv.join(" ")).toBeUndefined();
  }
  for (const argv of [
    ["toString", "-h"],
    ["backtest", "--help", "--json"],
    ["scenario run", "x", "--help"],
  ]) {
    expect(await findHelp(argv, 100), argv.join(" ")).toBeUndefined();
  }
});
