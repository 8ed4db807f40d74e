import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Latency } from "../product/backtest/link/latencyModel.ts";
import type { LinkOptions } from "../product/backtest/link/link.ts";
import type { Outage } from "../product/backtest/link/outages.ts";
import { usageError } from "./fail.ts";
import { defined } from "./values.ts";

/** A connection as a user gives it, on the command line or in a file of strategies. */
export interface LinkTexts {
  readonly latency?: string | number | undefined;
  readonly feedLatency?: string | number | undefined;
  readonly receiptLatency?: string | number | undefined;
  readonly rateLimit?: string | undefined;
  readonly outage?: readonly string[] | undefined;
}

/**
 * Reads a connection.
 *
 * @param folder that paths are relative to. Default: the present one
 * @param nameOf an option, as the place of an error
 * @throws {CliError} OPTION_INVALID
 * @throws {ReplayError} OPTION_INVALID
 */
export async function readLinkTexts(
  { latency, feedLatency, receiptLatency, rateLimit, outage }: LinkTexts,
  folder = "",
  nameOf: (option: string) => string = (option) => `--${option}`,
): Promise<LinkOptions> {
  if (rateLimit !== undefined) {
    const { readRateLimits } = await import("../product/backtest/link/rateLimit.ts");
    readRateLimits(nameOf("rate-limit"), rateLimit);
  }
  return defined({
    latencyMs: await readLatencyText(nameOf("latency"), latency, folder),
    feedLatencyMs: await readLatencyText(nameOf("feed-latency"), feedLatency, folder),
    receiptLatencyMs: await readLatencyText(nameOf("receipt-latency"), receiptLatency, folder),
    rateLimit,
    outages: outage === undefined ? undefined : await readOutageTexts(nameOf("outage"), outage, folder),
  });
}

/** @returns undefined without a text */
async function readLatencyText(
  option: string,
  text: string | number | undefined,
  folder: string,
): Promise<Latency | undefined> {
  if (text === undefined) return undefined;
  const { readLatency } = await import("../product/backtest/link/latencyModel.ts");
  if (typeof text === "string" && isTable(text)) {
    const { LATENCY_FILE_MOST, parseLatencyFile } = await import("../product/backtest/link/latencyFile.ts");
    const path = join(folder, text);
    return parseLatencyFile(option, basename(path), readTable(option, path, LATENCY_FILE_MOST));
  }
  const { constantMs, name } = readLatency(option, text);
  return constantMs ?? name;
}

async function readOutageTexts(option: string, texts: readonly string[], folder: string): Promise<Outage[]> {
  const { OUTAGE_FILE_MOST, parseOutage, parseOutageFile } = await import("../product/backtest/link/outageFile.ts");
  const { readOutages } = await import("../product/backtest/link/outages.ts");
  const outages = texts.flatMap((text) => {
    if (!isTable(text)) return parseOutage(option, text);
    const path = join(folder, text);
    return parseOutageFile(option, basename(path), readTable(option, path, OUTAGE_FILE_MOST));
  });
  readOutages(option, outages);
  return outages;
}

const isTable = (text: string) => /\.csv$/i.test(text);

function readTable(option: string, path: string, most: number): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined)
    throw usageError("OPTION_INVALID", `there is no file ${path}`, { place: option, hint: "name a CSV file" });
  if (size <= most) return readFileSync(path, "utf8");
  throw usageError("OPTION_INVALID", `${path} has ${size} bytes, more than ${most}`, {
    place: option,
    hint: "keep the lines of the time of the run, or fewer of them",
  });
}
