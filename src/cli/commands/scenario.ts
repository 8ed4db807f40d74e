import type { CommandGroup } from "../command.ts";
import { scenarioExplainCommand } from "./scenario/explain.ts";
import { scenarioFmtCommand } from "./scenario/fmt.ts";
import { scenarioLintCommand } from "./scenario/lint.ts";
import { scenarioNewCommand } from "./scenario/new.ts";
import { scenarioRunCommand } from "./scenario/run.ts";

/** Scenario files: the required behaviour of the venue, in files that a trader can read. */
export const scenarioCommands: CommandGroup = {
  name: "scenario",
  summary: "Run and write scenario files: flows with their expected results",
  description:
    "A scenario file describes a flow of transactions block by block, and its expected results: outcomes, fills, " +
    "events, accounts, positions, prices. Every run checks all invariants. It runs twice, and both runs are compared.",
  commands: [scenarioRunCommand, scenarioLintCommand, scenarioFmtCommand, scenarioExplainCommand, scenarioNewCommand],
};
