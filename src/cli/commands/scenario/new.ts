import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { defineCommand } from "../../command.ts";
import { usageError } from "../../fail.ts";
import { reserveFiles, writeWholeFiles } from "../../writeFile.ts";

/** Address of the schema for files that do not lie in a clone. */
const SCHEMA = join(import.meta.dirname, "../../../../scenarios/schema/scenario.schema.json");

/** Writes a first file to start from. */
export const scenarioNewCommand = defineCommand({
  name: "new",
  summary: "Write a first scenario file to start from",
  description:
    "Writes a small scenario that passes, with the line that makes editors complete keys and show their meaning.",
  examples: [{ args: "scenario new my-first.yaml", does: "Write a file here" }],
  configure(command) {
    command.argument("<file>", "the file, which must not exist");
  },
  async run({ terminal, json }, [file = ""]) {
    if (!/\.ya?ml$/.test(file)) {
      throw usageError("SCENARIO_EXISTS", "a scenario file ends in .yaml", {
        place: file,
        hint: `for example ${file}.yaml`,
      });
    }
    if (existsSync(file))
      throw usageError("SCENARIO_EXISTS", "the file exists", { place: file, hint: "take another name" });
    const { renderTemplate } = await import("../../../product/scenario/template/template.ts");
    const name = basename(file)
      .replace(/\.ya?ml$/, "")
      .replaceAll("-", " ");
    const schema = relative(dirname(file), SCHEMA).replaceAll("\\", "/");
    await reserveFiles([file]);
    await writeWholeFiles([{ path: file, text: renderTemplate(name, schema) }]);
    terminal.out(
      json ? JSON.stringify({ file }) : `wrote ${file}; run it with: ${formatCommand(["scenario", "run", file])}`,
    );
  },
});
