import { stripTypeScriptTypes } from "node:module";

/** What V8 reports of a script: functions with nested ranges, in characters. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
}

/** Lines of a source file with code, and those of them in which nothing ran. */
export interface FileReach {
  readonly file: string;
  readonly lines: number;
  readonly missed: readonly number[];
}

/**
 * Lines that no report of a file reaches. Node removes types by writing blanks over them, so places in what ran are
 * places in the source.
 */
export function readReach(file: string, text: string, reports: readonly ScriptCoverage[]): FileReach {
  const reached = new Uint8Array(text.length);
  for (const report of reports) addReached(report, reached);
  const withCode = new Set<number>();
  const ran = new Set<number>();
  let line = 1;
  let at = 0;
  for (const [from, to] of listTokens(stripTypeScriptTypes(text))) {
    for (; at < from; at++) if (text[at] === "\n") line++;
    withCode.add(line);
    if (reached.subarray(from, to).includes(1)) ran.add(line);
  }
  return { file, lines: withCode.size, missed: [...withCode].filter((line) => !ran.has(line)) };
}

/** Adds the characters that ran: the innermost range decides. */
function addReached({ functions }: ScriptCoverage, reached: Uint8Array): void {
  const now = new Uint8Array(reached.length);
  // Outer functions come before those inside them.
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  for (let at = 0; at < now.length; at++) if (now[at] === 1) reached[at] = 1;
}

/** Start and end of every token that is more than a bracket or an end of something. */
function* listTokens(code: string): Generator<[number, number]> {
  for (const match of code.matchAll(/\/\*.*?\*\/|\/\/[^\n]*|\S+/gs)) {
    const [found] = match;
    if (/^\/[/*]/.test(found) || /^[\]{}();,]+$/.test(found)) continue;
    yield [match.index, match.index + found.length];
  }
}

/** `3, 7-9` for 3, 7, 8, 9. */
export function listRanges(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}
