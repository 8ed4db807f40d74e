import { optionError } from "../../replay/settings.ts";
import { readTime, splitCsv } from "./csvFile.ts";
import { OUTAGE_KINDS, OUTAGES_MOST, type Outage, type OutageKind } from "./outages.ts";

/** Longest file of outages, bytes: more than `OUTAGES_MOST` lines of the longest form. */
export const OUTAGE_FILE_MOST = 96 * OUTAGES_MOST;

/**
 * Reads an outage as a user types it: `2024-03-05T12:00..2024-03-05T12:20`, with `:submit`, `:feed` or `:all` after it.
 *
 * @throws {ReplayError} OPTION_INVALID
 */
export function parseOutage(option: string, text: string): Outage {
  const [, from, to, stops = "all"] = /^(.+)\.\.(.+?)(?::(submit|feed|all))?$/.exec(text.trim()) ?? [];
  const outage = readOutage(from, to, stops);
  if (typeof outage !== "string") return outage;
  throw optionError(
    option,
    `${JSON.stringify(text)}: ${from === undefined ? "this is no outage" : outage}`,
    "write it as 2024-03-05T12:00..2024-03-05T12:20, with :submit or :feed for one direction; without a zone times are UTC",
  );
}

/**
 * Reads outages from CSV with the columns `from`, `to` and, where needed, `stops`.
 *
 * @param file name of the file
 * @throws {ReplayError} OPTION_INVALID with the line
 */
export function parseOutageFile(option: string, file: string, text: string): Outage[] {
  const [header = [], ...rows] = splitCsv(text);
  const refuse = (line: number, reason: string) =>
    optionError(
      option,
      `${file}:${line}: ${reason}`,
      "the file begins with the line from,to,stops; stops is submit, feed or all",
    );
  const isKnown =
    header.every((name) => ["from", "to", "stops"].includes(name)) && new Set(header).size === header.length;
  if (!isKnown || !header.includes("from") || !header.includes("to"))
    throw refuse(1, "the first line is not from,to,stops");
  if (rows.length === 0) throw refuse(1, "there is no outage");
  if (rows.length > OUTAGES_MOST) throw refuse(OUTAGES_MOST + 2, `more than ${OUTAGES_MOST} outages`);
  return rows.map((values, place) => {
    if (values.length !== header.length)
      throw refuse(place + 2, `${values.length} values in place of ${header.length}`);
    const cellOf = (name: string) => values[header.indexOf(name)];
    const outage = readOutage(cellOf("from"), cellOf("to"), cellOf("stops") ?? "all");
    if (typeof outage === "string") throw refuse(place + 2, outage);
    return outage;
  });
}

/** @returns an outage, or what is wrong with it */
function readOutage(from: string | undefined, to: string | undefined, stops: string): Outage | string {
  const [fromMs, toMs] = [from, to].map((text) => (text === undefined ? undefined : readTime(text)));
  if (fromMs === undefined) return `${JSON.stringify(from ?? "")} is no time`;
  if (toMs === undefined) return `${JSON.stringify(to ?? "")} is no time`;
  if (fromMs >= toMs) return "it ends before it begins";
  if (!(OUTAGE_KINDS as readonly string[]).includes(stops))
    return `${JSON.stringify(stops)} is not ${OUTAGE_KINDS.join(", ")}`;
  return { fromMs, toMs, stops: stops as OutageKind };
}
