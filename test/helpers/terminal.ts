import type { Terminal } from "../../src/cli/terminal.ts";

/** A terminal that remembers what was printed on it. */
export interface RecordingTerminal extends Terminal {
  readonly outLines: string[];
  readonly errLines: string[];
}

/** A terminal without colours, for tests. */
export function createRecordingTerminal(settings: Partial<Terminal> = {}): RecordingTerminal {
  const outLines: string[] = [];
  const errLines: string[] = [];
  return {
    interactive: false,
    columns: 100,
    color: false,
    ...settings,
    out: (text) => void outLines.push(...text.split("\n")),
    err: (text) => void errLines.push(...text.split("\n")),
    outLines,
    errLines,
  };
}
