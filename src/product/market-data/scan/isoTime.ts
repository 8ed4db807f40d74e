/** ISO 8601 date-times, read strictly. */

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?)?$/;

/**
 * Milliseconds since 1970 of a date-time, rounded down; `undefined` if the text is none. A date alone is its midnight.
 *
 * @param offsetMinutes zone of a text without a designator, east of UTC
 */
export function parseIsoTime(text: string, offsetMinutes: number): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = match;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const back = new Date(date);
  if (back.getUTCMonth() + 1 !== Number(month) || back.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = zone === undefined ? offsetMinutes : parseOffset(zone);
  if (offset === undefined) return undefined;
  const seconds = Number(hour) * 3600 + (Number(minute) - offset) * 60 + Number(second);
  return date + seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Minutes east of UTC of `Z`, `+08:00` or `-0330`; `undefined` if the text is none. */
export function parseOffset(text: string): number | undefined {
  if (text === "Z" || text === "UTC" || text === "GMT") return 0;
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(text);
  if (match === null) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  if (Number(match[2]) > 14 || Number(match[3]) > 59) return undefined;
  return match[1] === "-" ? 0 - minutes : minutes;
}
