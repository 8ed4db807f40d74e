import { parseIsoTime } from "../../market-data/scan/isoTime.ts";
import { optionError } from "../../replay/settings.ts";
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
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.at(-1)?.trim() === "") lines.pop();
  const refuse = (line: number, reason: string) =>
    optionError(
      option,
      `${file}:${line}: ${reason}`,
      "the file begins with the line time,latency; each further line has both, the earliest first",
    );
  const header = (lines[0] ?? "").split(",").map((name) => name.trim());
  if (header.length !== 2 || !header.includes("time") || !header.includes("latency")) {
    throw refuse(1, lines.length === 0 ? "the file is empty" : "the first line is not time,latency");
  }
  if (lines.length === 1) throw refuse(1, "there is no sample");
  if (lines.length - 1 > SAMPLES_MOST) throw refuse(SAMPLES_MOST + 2, `more than ${SAMPLES_MOST} samples`);
  const isTimeFirst = header[0] === "time";
  const times: number[] = [];
  const latencies: number[] = [];
  for (let at = 1; at < lines.length; at++) {
    const values = lines[at]!.split(",").map((value) => value.trim());
    if (values.length !== 2) throw refuse(at + 1, `${values.length} values in place of 2`);
    const [timeText, latencyText] = (isTimeFirst ? values : [values[1], values[0]]) as [string, string];
    const timeMs = readTime(timeText);
    if (timeMs === undefined) throw refuse(at + 1, `${JSON.stringify(timeText)} is no time`);
    if (timeMs <= (times.at(-1) ?? Number.NEGATIVE_INFINITY))
      throw refuse(at + 1, "its time is not later than that of the line before");
    const latency = Number(latencyText);
    if (!/^\d+$/.test(latencyText) || latency > LATENCY_MOST_MS) {
      throw refuse(at + 1, `${JSON.stringify(latencyText)} is no latency from 0 to ${LATENCY_MOST_MS} ms`);
    }
    times.push(timeMs);
    latencies.push(latency);
  }
  return { file, times, latencies };
}

/** Ms since 1970; undefined for a text of another form. */
function readTime(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : parseIsoTime(text, 0);
}
