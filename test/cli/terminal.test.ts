import { expect, test } from "vitest";
import { isColorWanted } from "../../src/cli/terminal.ts";

test.each([
  ["a terminal", [], {}, true, true],
  ["no terminal", [], {}, false, false],
  ["a dumb terminal", [], { TERM: "dumb" }, true, false],
  ["--no-color", ["backtest", "--no-color"], {}, true, false],
  ["--no-color as a value, after --", ["backtest", "--", "--no-color"], {}, true, true],
  ["NO_COLOR", [], { NO_COLOR: "1" }, true, false],
  ["an empty NO_COLOR", [], { NO_COLOR: "" }, true, true],
  ["FORCE_COLOR without a terminal", [], { FORCE_COLOR: "1" }, false, true],
  ["FORCE_COLOR=0", [], { FORCE_COLOR: "0" }, true, false],
  ["NO_COLOR against FORCE_COLOR", [], { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
])("colours with %s", (_name, argv, env, isTerminal, expected) => {
  expect(isColorWanted({ argv, env, isTerminal })).toBe(expected);
});
