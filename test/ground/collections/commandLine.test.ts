import { expect, test } from "vitest";
import { formatCommand, splitCommand } from "../../../src/ground/collections/commandLine.ts";

test.each([
  [["backtest", "trend", "--data", "a.csv"]],
  [["backtest", "my strategy/it's mine.ts", "--param", "a=1", "b='x y'", ""]],
  [["--from", "2024-01-01T00:00:00.000Z", "''", "a\\b", "\n"]],
])("a command that was written is split into its words: %j", (words) => {
  expect(splitCommand(formatCommand(words))).toEqual(words);
});

test.each(["", "rm -rf x", "perplab 'open", "perplab a  b", "perplab a; rm x"])("%j is no such command", (text) => {
  expect(splitCommand(text)).toBeUndefined();
});
