import { findNearest } from "../collections/nearest.ts";
import { isParameterName, marketParameters } from "../protocol/parameters.ts";
import { usageError } from "./fail.ts";

/** @throws {CliError} OPTION_INVALID for a name that no market parameter has */
export function checkParameterNames(option: string, names: readonly string[]): void {
  const unknown = names.find((name) => !isParameterName(name));
  if (unknown === undefined) return;
  const nearest = findNearest(unknown, Object.keys(marketParameters));
  const all = "docs/reference/parameters.md lists them all";
  throw usageError("OPTION_INVALID", `there is no market parameter ${JSON.stringify(unknown)}`, {
    place: option,
    hint: nearest === undefined ? all : `did you mean ${nearest}? ${all}`,
  });
}
