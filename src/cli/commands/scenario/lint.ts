import { countOf } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { failure } from "../../fail.ts";
import { createColors } from "../../terminal.ts";
import { readFiles } from "./files.ts";

/** Checks files without running them. */
export const scenarioLintCommand = defineCommand({
  name: "lint",
  summary: "Check scenario files without running them",
  description:
    "Reads scenario files as a run would and reports every fault with its place and a hint, and weak spots: a " +
    "file without a sentence, rules or expectations, a block without effect, a tolerance without a reason.",
  examples: [{ args: "scenario lint scenarios", does: "Check a folder" }],
  configure(command) {
    command.argument("<paths...>", "files, folders or globs");
  },
  async run({ terminal, json }, paths) {
    const { lintScenario } = await import("../../../product/scenario/lint/lintScenario.ts");
    const { formatPlace } = await import("../../../product/scenario/faults.ts");
    const found = (await readFiles(paths)).map((file) => lintScenario(file));
    const colors = createColors(terminal);
    const count = found.reduce((sum, { faults, advice }) => sum + faults.length + advice.length, 0);
    if (json) terminal.out(JSON.stringify(found));
    else {
      for (const { faults, advice } of found) {
        for (const [list, word] of [
          [faults, colors.red("fault")],
          [advice, colors.yellow("advice")],
        ] as const) {
          for (const { place, message, hint } of list) {
            terminal.out(`${formatPlace(place)}: ${word}: ${message}${hint === undefined ? "" : `; ${hint}`}`);
          }
        }
      }
      if (count === 0) terminal.out(`${countOf(found.length, "file")}, no findings`);
    }
    if (count > 0) throw failure("SCENARIO_FAILED", `${countOf(count, "finding")} in ${countOf(found.length, "file")}`);
  },
});
