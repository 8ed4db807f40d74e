import { defineCommand } from "../../command.ts";
import { failure } from "../../fail.ts";
import { readFiles } from "./files.ts";

/** Describes files block by block. */
export const scenarioExplainCommand = defineCommand({
  name: "explain",
  summary: "Describe a scenario block by block",
  description:
    "Runs scenario files and describes every block: prices, transactions with their outcomes, fills, events, and the accounts " +
    "after it. Useful while writing one: the numbers to expect are there.",
  examples: [{ args: "scenario explain scenarios/orders/cancel-frees-reserve.yaml", does: "Describe one scenario" }],
  configure(command) {
    command.argument("<paths...>", "files, folders or globs");
  },
  async run({ terminal, json }, paths) {
    const { runScenarioFile } = await import("../../../product/scenario/run/runScenario.ts");
    const { explainScenario } = await import("../../../product/scenario/explain/explainScenario.ts");
    const { renderJson } = await import("../../../product/scenario/reporters/json.ts");
    const { formatPlace } = await import("../../../product/scenario/faults.ts");
    const results = (await readFiles(paths)).map((file) => runScenarioFile(file, { describeAll: true }));
    if (json) terminal.out(renderJson(results));
    else terminal.out(results.map(explainScenario).join("\n\n"));
    const broken = results.find(({ status }) => status === "invalid");
    const [fault] = broken?.faults ?? [];
    if (fault !== undefined) {
      throw failure("SCENARIO_FAILED", fault.message, { place: formatPlace(fault.place), hint: fault.hint });
    }
  },
});
