/**
 * Paths of fields in JSON: `price`, `data.levels[0][3].px`, `["odd.name"].x`. A path that begins with `$.` counts from
 * the whole value where rows are arrays within it; `$rows` is the path of the array that a row comes from.
 */

/** One step: the key of an object, or the place in an array. */
export type Step = string | number;

/** The column that names the array of a row. */
export const ROWS_COLUMN = "$rows";

const STEP = /(?:^|\.)([^.[\]"]+)|\[(\d{1,4})\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The steps of a path; `undefined` if the text is none. */
export function parsePath(text: string): Step[] | undefined {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (match === null) return undefined;
    const [, key, place, quoted] = match;
    if (place !== undefined) steps.push(Number(place));
    else steps.push(key ?? unquote(quoted!));
  }
  return steps.length === 0 ? undefined : steps;
}

/** The text of a path. */
export function formatPath(steps: readonly Step[]): string {
  let text = "";
  for (const step of steps) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[^.[\]"]+$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** The steps of a column after `$.`; `undefined` for a column of the row itself. */
export function parseOuterPath(text: string): Step[] | undefined {
  return text.startsWith("$.") ? parsePath(text.slice(2)) : undefined;
}

function unquote(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
