import { findNearest } from "../ground/collections/nearest.ts";
import { isParameterFault } from "../protocol/parameterFault.ts";
import { marketParameters, type ParameterTexts } from "../protocol/parameters.ts";
import { isParameterName, readMarketParameters } from "../protocol/readParameters.ts";
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

/**
 * Checks parameters of recorded markets as far as is possible without their data: each name, and each value by itself.
 *
 * @throws {CliError} OPTION_INVALID
 */
export function checkParameterTexts(option: string, texts: ParameterTexts): void {
  checkParameterNames(option, Object.keys(texts));
  const fault = readMarketParameters("replay", texts, undefined, []);
  if (!isParameterFault(fault)) return;
  throw usageError("OPTION_INVALID", `${fault.parameter}: ${fault.reason}`, {
    place: option,
    hint: "docs/reference/parameters.md has the range of each",
  });
}
