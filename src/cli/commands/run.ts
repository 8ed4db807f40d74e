import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { defineCommand } from "../command.ts";
import { failure, usageError } from "../fail.ts";
import { listModules, registerSelfImports } from "../selfImports.ts";

/** Runs a script of the user that imports `perplab/…`. */
export const runCommand = defineCommand<object>({
  name: "run",
  summary: "Run a TypeScript or JavaScript file that imports perplab/…",
  description:
    "Runs a file as Node does, with its types stripped. Its imports of `perplab/…` are the modules of this perplab: " +
    "the sources in a clone, so nothing has to be built. Arguments after the file are passed to the script.",
  examples: [{ args: "run examples/bot.ts --help", does: "Run the example bot with one of its own options" }],
  configure(command) {
    command
      .argument("<script>", "the file")
      .argument("[arguments...]", "for the script, in process.argv")
      .passThroughOptions()
      .allowUnknownOption();
  },
  async run({ terminal }, [script = "", ...args]) {
    const path = resolve(script);
    if (!existsSync(path)) throw usageError("FILE_MISSING", "there is no such file", { place: script });
    if (statSync(path).isDirectory()) {
      throw usageError("FILE_EXPECTED", "this is a folder, a file was expected", { place: script });
    }
    registerSelfImports();
    process.argv = [process.execPath, path, ...args];
    try {
      await import(pathToFileURL(path).href);
    } catch (error) {
      const { stack, message, code } = error as NodeJS.ErrnoException;
      terminal.err(stack ?? String(error));
      throw failure("SCRIPT_FAILED", `the script failed: ${String(message ?? error).split("\n")[0]}`, {
        place: script,
        hint: hintOf(code, message),
        cause: error,
      });
    }
  },
});

/** The right name for an import of perplab that does not exist. */
function hintOf(code: string | undefined, message = ""): string | undefined {
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  if (!isMissing || !message.includes("perplab")) return undefined;
  return `the modules are ${listModules().join(", ")}`;
}
