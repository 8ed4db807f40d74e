/** One that reports a market's price, and how much it counts. */
export interface Source {
  readonly name: string;
  readonly weight: number;
}

const SOURCE = /^([A-Za-z0-9._-]{1,20}):(0|[1-9][0-9]{0,5})$/;
/** Most sources of a market. */
export const SOURCES_MAX = 32;

/** Reads "name:weight name:weight"; weights are whole numbers below a million. */
export function readPriceSources(text: string): Source[] | string {
  const list: Source[] = [];
  for (const part of text === "" ? [] : text.split(" ")) {
    const found = SOURCE.exec(part);
    if (found === null) return 'must be "name:weight name:weight", for example "a:2 b:1"';
    if (list.some(({ name }) => name === found[1])) return `${found[1]} is given twice`;
    list.push({ name: found[1]!, weight: Number(found[2]) });
  }
  if (list.length > SOURCES_MAX) return `at most ${SOURCES_MAX} sources`;
  return list;
}
