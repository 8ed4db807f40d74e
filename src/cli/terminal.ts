import picocolors from "picocolors";
import { COLUMNS } from "./help.ts";

/** Where a command prints: results on `out`, progress and errors on `err`. */
export interface Terminal {
  /** Prints a result. The line break is added. */
  out(text: string): void;
  /** Prints progress or an error. The line break is added. */
  err(text: string): void;
  /** Whether `err` is a terminal on which a line can be redrawn. */
  readonly interactive: boolean;
  /** Columns of `out`. */
  readonly columns: number;
  /** Whether `out` and `err` show colours. */
  readonly color: boolean;
}

/** Functions that colour a text, or leave it as it is. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** The colours of a terminal. */
export function createColors(terminal: Pick<Terminal, "color">): Colors {
  return picocolors.createColors(terminal.color);
}

/** Settings for colours, besides the terminal itself. */
export interface ColorRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** `--no-color` and NO_COLOR switch colours off, FORCE_COLOR on; otherwise a terminal that is not dumb has them. */
export function isColorWanted({ argv, env, isTerminal }: ColorRequest): boolean {
  const end = argv.indexOf("--");
  const options = end === -1 ? argv : argv.slice(0, end);
  if (options.includes("--no-color") || (env["NO_COLOR"] ?? "") !== "") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}

/** The terminal of this process. */
export function createProcessTerminal(argv: readonly string[]): Terminal {
  const { stdout, stderr, env } = process;
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    interactive: stderr.isTTY === true && env["TERM"] !== "dumb",
    columns: stdout.columns ?? COLUMNS,
    color: isColorWanted({ argv, env, isTerminal: stdout.isTTY === true }),
  };
}
