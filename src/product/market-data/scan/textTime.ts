/**
 * Dates and times in the order that a format states: `DD/MM/YYYY HH:mm:ss`, `YYYYMMDD`, `MMM DD, YYYY`, `hh:mm A`.
 *
 * Tokens: `YYYY`, `MM`, `MMM` (Jan), `DD`, `HH` (0 to 23), `hh` (1 to 12) with `A` (AM or PM), `mm`, `ss`. A digit may
 * be missing in front of a one-digit day, month or hour, unless another token follows at once. Seconds may have a
 * fraction, and a zone (`Z`, `UTC`, `+08:00`) may follow the whole.
 */
import { parseOffset } from "./isoTime.ts";

const TOKEN = /YYYY|MMM|MM|DD|HH|hh|mm|ss|A/g;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A format, ready to read with. */
export interface TimeFormat {
  readonly text: string;
  readonly pattern: RegExp;
  readonly tokens: readonly string[];
}

/** The format of a text; `undefined` if it lacks a date and a time of day, or has a part of either without the rest. */
export function compileTimeFormat(text: string): TimeFormat | undefined {
  const tokens: readonly string[] = text.match(TOKEN) ?? [];
  const has = (token: string): boolean => tokens.includes(token);
  if (new Set(tokens).size !== tokens.length || tokens.length === 0) return undefined;
  const isDate = has("YYYY") && has("DD") && has("MM") !== has("MMM");
  const isDateless = !has("YYYY") && !has("DD") && !has("MM") && !has("MMM");
  const isTimeless = !has("HH") && !has("hh") && !has("mm") && !has("ss") && !has("A");
  if ((!isDate && !isDateless) || has("hh") !== has("A") || (has("HH") && has("hh"))) return undefined;
  if (!isTimeless && !has("HH") && !has("hh")) return undefined;
  let source = "";
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    source += escapeText(text.slice(at, match.index));
    at = match.index + match[0].length;
    source += sourceOf(match[0], /^(YYYY|MM|DD|HH|hh|mm|ss)/.test(text.slice(at)));
  }
  const zone = "(?: ?(Z|UTC|GMT|[+-]\\d\\d:?\\d\\d))?";
  return { text, tokens, pattern: new RegExp(`^${source}${escapeText(text.slice(at))}${zone}$`, "i") };
}

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

function sourceOf(token: string, isFollowed: boolean): string {
  switch (token) {
    case "YYYY":
      return "(\\d{4})";
    case "MMM":
      return "([A-Za-z]{3})[a-z]*\\.?";
    case "A":
      return "([AP]M)";
    case "ss":
      return "(\\d\\d(?:\\.\\d{1,9})?)";
    case "mm":
      return "(\\d\\d)";
    default:
      return isFollowed ? "(\\d\\d)" : "(\\d{1,2})";
  }
}

/**
 * Milliseconds since 1970 of a text, or, of a format without a date, since midnight; `undefined` if the text does not
 * fit.
 *
 * @param offsetMinutes zone of a text that names none, east of UTC
 */
export function parseTextTime(
  { pattern, tokens }: TimeFormat,
  text: string,
  offsetMinutes: number,
): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const part = (token: string): string | undefined => {
    const index = tokens.indexOf(token);
    return index < 0 ? undefined : match[index + 1];
  };
  const named = part("MMM");
  const month = named === undefined ? Number(part("MM") ?? 1) : MONTHS.indexOf(named.toLowerCase()) + 1;
  const day = Number(part("DD") ?? 1);
  const date = Date.UTC(Number(part("YYYY") ?? 1970), month - 1, day);
  const back = new Date(date);
  if (back.getUTCMonth() + 1 !== month || back.getUTCDate() !== day) return undefined;
  const hour = hourOf(part("HH"), part("hh"), part("A"));
  const minute = Number(part("mm") ?? 0);
  const [second = "0", fraction = ""] = (part("ss") ?? "0").split(".");
  if (hour === undefined || minute > 59 || Number(second) > 59) return undefined;
  const zone = match[tokens.length + 1];
  const offset = zone === undefined ? offsetMinutes : parseOffset(zone.toUpperCase());
  if (offset === undefined) return undefined;
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  return date + (hour * 3600 + (minute - offset) * 60 + Number(second)) * 1000 + ms;
}

function hourOf(full: string | undefined, half: string | undefined, noon: string | undefined): number | undefined {
  if (half === undefined) return Number(full ?? 0) > 23 ? undefined : Number(full ?? 0);
  const hour = Number(half);
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (noon!.toUpperCase() === "PM" ? 12 : 0);
}

/** The formats of a date and of a time of day, written with a space between them; `undefined` if a text is not that. */
export function splitTimeFormat(text: string): { date: TimeFormat; time: TimeFormat } | undefined {
  const at = text.search(/ (HH|hh)/);
  if (at < 0) return undefined;
  const date = compileTimeFormat(text.slice(0, at));
  const time = compileTimeFormat(text.slice(at + 1));
  return date === undefined || time === undefined ? undefined : { date, time };
}
