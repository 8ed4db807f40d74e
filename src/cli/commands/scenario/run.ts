import { defineCommand } from "../../command.ts";
import { failure } from "../../fail.ts";
import { createColors } from "../../terminal.ts";
import { readWord } from "../../values.ts";
import { readFiles } from "./files.ts";

const REPORTERS = ["pretty", "json"] as const;

interface Options {
  readonly reporter?: (typeof REPORTERS)[number];
}

/** Runs files and reports. */
export const scenarioRunCommand = defineCommand<Options>({
  name: "run",
  summary: "Run scenario files and report what differs",
  description:
    "Runs scenario files with every invariant, twice, and compares both runs. A folder stands for every file in it. " +
    "Exit code 0 when everything is as expected, 1 when something differs or a file cannot run.",
  examples: [{ args: "scenario run scenarios", does: "Run every scenario of a folder" }],
  configure(command) {
    command
      .argument("<paths...>", "files, folders or globs")
      .option("--reporter <name>", `${REPORTERS.join(", ")} (default: pretty)`, readWord("--reporter", REPORTERS));
  },
  async run({ terminal, json }, paths, { reporter = json ? "json" : "pretty" }) {
    const { runScenarioFile } = await import("../../../scenario/run/runScenario.ts");
    const { renderPretty } = await import("../../../scenario/reporters/pretty.ts");
    const { renderJson } = await import("../../../scenario/reporters/json.ts");
    const { createReadLine } = await import("../../../scenario/reporters/excerpt.ts");
    const { readTextFile } = await import("../../../scenario/parse/include.ts");
    const results = (await readFiles(paths)).map((file) => runScenarioFile(file));
    const readLine = createReadLine(readTextFile);
    terminal.out(reporter === "json" ? renderJson(results) : renderPretty(results, createColors(terminal), readLine));
    const bad = results.filter(({ status }) => status !== "passed").length;
    if (bad > 0) throw failure("SCENARIO_FAILED", `${bad} of ${results.length} files are not as expected`);
  },
});
