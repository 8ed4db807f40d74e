import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Latency } from "../product/backtest/link/latencyModel.ts";
import { usageError } from "./fail.ts";

/**
 * Reads a latency as a user gives it: whole ms, a distribution, or the path of a CSV file of samples.
 *
 * @param option as the place of an error
 * @param folder that a path is relative to. Default: the present one
 * @returns undefined without a text
 * @throws {CliError} INPUT_MISSING
 * @throws {ReplayError} OPTION_INVALID
 */
export async function readLatencyText(
  option: string,
  text: string | number | undefined,
  folder = "",
): Promise<Latency | undefined> {
  if (text === undefined) return undefined;
  const { readLatency } = await import("../product/backtest/link/latencyModel.ts");
  if (typeof text === "string" && /\.csv$/i.test(text)) {
    const samples = await readSamples(option, join(folder, text));
    readLatency(option, samples);
    return samples;
  }
  const { constantMs, name } = readLatency(option, text);
  return constantMs ?? name;
}

async function readSamples(option: string, path: string): Promise<Latency> {
  const { LATENCY_FILE_MOST, parseLatencyFile } = await import("../product/backtest/link/latencyFile.ts");
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    throw usageError("OPTION_INVALID", `there is no file ${path}`, {
      place: option,
      hint: "name a CSV file of latencies",
    });
  }
  if (size > LATENCY_FILE_MOST) {
    throw usageError("OPTION_INVALID", `${path} has ${size} bytes, more than ${LATENCY_FILE_MOST}`, {
      place: option,
      hint: "keep the samples of the time of the run, or fewer of them",
    });
  }
  return parseLatencyFile(option, basename(path), readFileSync(path, "utf8"));
}
