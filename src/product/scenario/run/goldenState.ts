import { firstDifference, readFolded } from "../../../proof/invariants/statements.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { ReadText } from "../parse/include.ts";

/**
 * The state of a golden root, written next to the scenario (`name.yaml` has `name.state`) by `--update`. A root shows
 * that something differs; the state shows the difference. It decides nothing: a scenario without one runs alike.
 */
export function goldenStatePath(file: string): string {
  return file.replace(/\.(yaml|yml|json)$/, ".state");
}

/** A venue as text, one line a table row, so that a change reads well in a review. */
export function formatGoldenState(state: State): string {
  const entries = Object.entries(toPlain(readFolded(state)) as Record<string, unknown>).filter(
    ([key]) => key !== "genesis",
  );
  const lines = entries.map(([key, value]) => `${JSON.stringify(key)}: ${formatTable(value)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/**
 * Where a venue first differs from the state that was written out; undefined where there is none, or nothing differs.
 */
export function findGoldenDifference(file: string, state: State, readText: ReadText): string | undefined {
  const path = goldenStatePath(file);
  let text: string;
  try {
    text = readText(path);
  } catch {
    return undefined;
  }
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    return `${path} is no longer valid JSON`;
  }
  return firstDifference(expected, JSON.parse(formatGoldenState(state)));
}

function formatTable(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const rows = isList
    ? value.map((row) => `  ${JSON.stringify(row)}`)
    : Object.entries(value).map(([key, row]) => `  ${JSON.stringify(key)}: ${JSON.stringify(row)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return rows.length === 0 ? `${open}${close}` : `${open}\n${rows.join(",\n")}\n${close}`;
}

/** Maps as objects, big integers as texts. */
function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, part]) => [`${key}`, toPlain(part)]));
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map(toPlain);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlain(part)]));
}
