/** The parts of an incident's `source` line: `DATE, VENUE, WHAT WAS LOST (EVIDENCE)`, each where it is written. */
export interface IncidentSource {
  readonly date: string | undefined;
  readonly venue: string | undefined;
  readonly lost: string | undefined;
  readonly evidence: string | undefined;
}

/** Reads the line. A line without a date is evidence alone, such as an issue of a program. */
export function parseSource(source: string): IncidentSource {
  const [, date, rest] = /^(\d{4}-\d{2}-\d{2}(?:\/\d{2})?), (.*)$/s.exec(source) ?? [];
  if (date === undefined || rest === undefined)
    return { date: undefined, venue: undefined, lost: undefined, evidence: source };
  const [, body = rest, evidence] = /^(.*?)(?: \(([^()]*)\))?$/s.exec(rest) ?? [];
  const [venue, ...others] = body.split(", ");
  return { date, venue, lost: others.length === 0 ? undefined : others.join(", "), evidence };
}
