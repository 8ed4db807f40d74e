/** A value that two runs do not share. */
export interface Difference {
  /** Place in the value, for example `driver.leverage` or `markets.BTC-PERP.mark`. */
  readonly place: string;
  /** As text; `none` where that run has no such value. */
  readonly a: string;
  readonly b: string;
}

/** Differences that have one cause. */
export interface DifferenceGroup {
  /** `data`, `options`, `versions`, `transactions`, `events`, ... */
  readonly topic: string;
  readonly differences: readonly Difference[];
  /** Differences beyond those that are listed. */
  readonly more: number;
}

/** Differences of a group that are listed. */
const LISTED = 20;

/** A group of the first differences; undefined without any. */
export function groupOf(topic: string, differences: readonly Difference[]): DifferenceGroup[] {
  if (differences.length === 0) return [];
  return [{ topic, differences: differences.slice(0, LISTED), more: Math.max(0, differences.length - LISTED) }];
}

/** The single values in which two plain values differ, by place, in the order of their fields. */
export function diffValues(a: unknown, b: unknown, place = ""): Difference[] {
  if (Object.is(a, b)) return [];
  if (!isTree(a) || !isTree(b)) {
    const [one, other] = [textOf(a), textOf(b)];
    return one === other ? [] : [{ place, a: one, b: other }];
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => diffValues(a[name], b[name], place === "" ? name : `${place}.${name}`));
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
