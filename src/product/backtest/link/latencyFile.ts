import { optionError } from "../../replay/settings.ts";
import { readTime, splitCsv } from "./csvFile.ts";
import { LATENCY_MOST_MS, type RecordedLatency, SAMPLES_MOST } from "./latencyModel.ts";

/** Longest file of samples, bytes: more than `SAMPLES_MOST` lines of the longest form. */
export const LATENCY_FILE_MOST = 64 * SAMPLES_MOST;

/**
 * Reads recorded latencies: CSV with the columns `time` (UTC text, or ms since 1970) and `latency` (whole ms), the
 * earliest time first.
 *
 * @param option of the command, as the place of an error
 * @param file   name of the file
 * @throws {ReplayError} OPTION_INVALID with the line
 */
export function parseLatencyFile(option: string, file: string, text: string): RecordedLatency {
  const [header = [], ...rows] = splitCsv(text);
  const refuse = (line: number, reason: string) =>
    optionError(
      option,
      `${file}:${line}: ${reason}`,
      "the file begins with the line time,latency; each further line has both, the earliest first",
    );
  if (header.length !== 2 || !header.includes("time") || !header.includes("latency")) {
    throw refuse(1, header.length === 0 ? "the file is empty" : "the first line is not time,latency");
  }
  if (rows.length === 0) throw refuse(1, "there is no sample");
  if (rows.length > SAMPLES_MOST) throw refuse(SAMPLES_MOST + 2, `more than ${SAMPLES_MOST} samples`);
  const isTimeFirst = header[0] === "time";
  const times: number[] = [];
  const latencies: number[] = [];
  for (const [place, values] of rows.entries()) {
    const line = place + 2;
    if (values.length !== 2) throw refuse(line, `${values.length} values in place of 2`);
    const [timeText, latencyText] = (isTimeFirst ? values : [values[1], values[0]]) as [string, string];
    const timeMs = readTime(timeText);
    if (timeMs === undefined) throw refuse(line, `${JSON.stringify(timeText)} is no time`);
    if (timeMs <= (times.at(-1) ?? Number.NEGATIVE_INFINITY))
      throw refuse(line, "its time is not later than that of the line before");
    const latency = Number(latencyText);
    if (!/^\d+$/.test(latencyText) || latency > LATENCY_MOST_MS) {
      throw refuse(line, `${JSON.stringify(latencyText)} is no latency from 0 to ${LATENCY_MOST_MS} ms`);
    }
    times.push(timeMs);
    latencies.push(latency);
  }
  return { file, times, latencies };
}
