import { usageError } from "../../fail.ts";

/**
 * The scenario files that paths name.
 *
 * @throws {CliError} SCENARIO_MISSING for a path that names none
 */
export async function readFiles(paths: readonly string[]): Promise<string[]> {
  const { findScenarioFiles } = await import("../../../product/scenario/run/findFiles.ts");
  const { files, empty } = findScenarioFiles(paths);
  const [first] = empty;
  if (first === undefined) return files;
  throw usageError("SCENARIO_MISSING", "no scenario file is here", {
    place: first,
    hint: "name a file, a folder with .yaml files, or a glob in quotes",
  });
}
