import { countOf } from "../../../ground/math/counts.ts";
import { defineCommand } from "../../command.ts";
import { failure } from "../../fail.ts";
import { writeWholeFiles } from "../../writeFile.ts";
import { readFiles } from "./files.ts";

/** Formats files in the standard form. */
export const scenarioFmtCommand = defineCommand<{ readonly check?: boolean }>({
  name: "fmt",
  summary: "Format scenario files",
  description:
    "Puts keys in their order and formats indentation and spacing; comments stay. With --check, it only lists " +
    "the files that would change, and ends with 1 if there are any.",
  examples: [{ args: "scenario fmt scenarios --check", does: "List the files that are not formatted" }],
  configure(command) {
    command.argument("<paths...>", "files, folders or globs").option("--check", "change nothing");
  },
  async run({ terminal, json }, paths, { check }) {
    const { formatScenario } = await import("../../../product/scenario/lint/formatScenario.ts");
    const { readTextFile } = await import("../../../product/scenario/parse/include.ts");
    const changed: { path: string; text: string }[] = [];
    const files = (await readFiles(paths)).filter((file) => !file.endsWith(".json"));
    for (const path of files) {
      const before = readTextFile(path);
      const text = formatScenario(before);
      if (text !== before) changed.push({ path, text });
    }
    if (check !== true) await writeWholeFiles(changed);
    if (json) terminal.out(JSON.stringify({ files: files.length, changed: changed.map(({ path }) => path) }));
    else {
      for (const { path } of changed) terminal.out(`${check === true ? "would change" : "wrote"} ${path}`);
      if (changed.length === 0) terminal.out(`${countOf(files.length, "file")}, all formatted`);
    }
    if (check === true && changed.length > 0)
      throw failure("SCENARIO_FAILED", `${changed.length} of ${countOf(files.length, "file")} are not formatted`);
  },
});
