import { type Colors, createColors, type Terminal } from "./terminal.ts";

/**
 * The exit codes of every command. The last two are a search's: it proves nothing; two runs of the same thing differ.
 */
export const EXIT = { ok: 0, failure: 1, usage: 2, vacuous: 3, differs: 4 } as const;

/** How a command ended. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Parts of a failure besides its message. */
export interface FailureFields {
  /** The place at fault: `file:line:column`, an option, a field. */
  readonly place?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Any failure, in the form in which it is printed. */
export interface Failure extends FailureFields {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  /** Set for a fault of perplab: where it happened. */
  readonly stack?: string | undefined;
}

/** A failure that the command line itself found. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string;
  readonly place: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, code: string, message: string, fields: FailureFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = code;
    this.place = fields.place;
    this.hint = fields.hint;
    this.exitCode = exitCode;
  }
}

/** The command was called wrongly: exit code 2. */
export function usageError(code: string, message: string, fields: FailureFields = {}): CliError {
  return new CliError(EXIT.usage, code, message, fields);
}

/** The command was called rightly and could not do its work: exit code 1. */
export function failure(code: string, message: string, fields: FailureFields = {}): CliError {
  return new CliError(EXIT.failure, code, message, fields);
}

/** Codes of the floors below for requests that are invalid, or name something that does not exist. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  "CAMPAIGN_DIFFERS",
  "CAMPAIGN_MISSING",
  "CASE_MALFORMED",
  "CASE_VERSION",
  "CORPUS_MISSING",
  "CORPUS_VERSION",
  "EXPLOIT_ACCOUNT",
  "EXPLOIT_VARIANT",
  "FILE_MISSING",
  "INVALID_FORK",
  "INVARIANT_MISSING",
  "INVARIANT_UNKNOWN",
  "LOG_HEIGHT",
  "LOG_MISSING",
  "MAPPING_INVALID",
  "REDIS_URL",
  "REPORT_FORMAT",
  "SOURCE_INVALID",
  "STORE_FOLDER",
  "SUBJECT_NOT_FOUND",
  "TABLE_FORMAT",
  "WORLD_EXPECTED",
]);

/** The meaning of the system's own codes, for a reader. */
const SYSTEM_ERRORS: Readonly<Record<string, { code: string; message: string; exitCode: ExitCode }>> = {
  ENOENT: { code: "FILE_MISSING", message: "there is no such file", exitCode: EXIT.usage },
  EISDIR: { code: "FILE_EXPECTED", message: "this is a folder, a file was expected", exitCode: EXIT.usage },
  ENOTDIR: { code: "FOLDER_EXPECTED", message: "this is a file, a folder was expected", exitCode: EXIT.usage },
  EEXIST: { code: "FILE_EXISTS", message: "it exists already", exitCode: EXIT.usage },
  EACCES: { code: "FILE_FORBIDDEN", message: "no permission", exitCode: EXIT.failure },
  EPERM: { code: "FILE_FORBIDDEN", message: "no permission", exitCode: EXIT.failure },
  EROFS: { code: "FILE_FORBIDDEN", message: "the file system is read-only", exitCode: EXIT.failure },
  EADDRINUSE: { code: "PORT_TAKEN", message: "another program already listens on this port", exitCode: EXIT.failure },
  EADDRNOTAVAIL: { code: "ADDRESS_UNKNOWN", message: "this machine has no such address", exitCode: EXIT.usage },
  ENOSPC: { code: "DISK_FULL", message: "no space left on the device", exitCode: EXIT.failure },
};

/**
 * Reads any thrown value as a failure. Errors of lower floors are recognised by their fields: a `code`, and a place as
 * `place` or as `file`, `line` and `column`, on the error or in its `details`. An error without a code is a fault of
 * perplab.
 */
export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return unexpected(new Error(String(error)));
  const own = error as Error & Readonly<Record<string, unknown>>;
  const { code } = own;
  if (typeof code !== "string") return unexpected(error);

  const system = Object.hasOwn(SYSTEM_ERRORS, code) ? SYSTEM_ERRORS[code] : undefined;
  if (system !== undefined && typeof own["syscall"] === "string") return describeSystem(system, own);

  // Node's own codes (ERR_…) and any other code that is not in perplab's form come from a fault of perplab.
  if (code.startsWith("ERR_") || !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)) return unexpected(error);

  const details = (typeof own["details"] === "object" && own["details"] !== null ? own["details"] : {}) as Readonly<
    Record<string, unknown>
  >;
  const field = (name: string) => own[name] ?? details[name];
  return {
    code,
    message: error.message,
    place: textOf(field("place")) ?? placeOf(field("file") ?? field("source"), field("line"), field("column")),
    hint: textOf(field("hint")),
    exitCode: USAGE_CODES.has(code) ? EXIT.usage : readExitCode(own["exitCode"]),
  };
}

/** Ending of a file while it is written, which no user has named. */
const DRAFT = /\.\d+\.part(ial)?$/;

/** A failure of the system, at a file, or at an address with its port. */
function describeSystem(
  { code, message, exitCode }: (typeof SYSTEM_ERRORS)[string],
  own: Readonly<Record<string, unknown>>,
): Failure {
  const path = textOf(own["path"]);
  const place = path?.replace(DRAFT, "");
  const { address, port } = own;
  // A draft or a folder that cannot be made: the folder around it exists, and accepts nothing new.
  if (code === "FILE_MISSING" && (place !== path || own["syscall"] === "mkdir")) {
    const hint = "name a file in another folder";
    return { code: "FILE_FORBIDDEN", message: "no file can be made here", exitCode: EXIT.failure, place, hint };
  }
  if (code === "FILE_MISSING" && place !== undefined) return { code, message, exitCode, place, hint: "check the path" };
  if (code === "DISK_FULL")
    return { code, message, exitCode, place, hint: "free space, or name a place on another disk" };
  if (place !== undefined || typeof address !== "string") return { code, message, exitCode, place };
  const hint =
    code === "PORT_TAKEN" ? "give --port another number, or 0 for any that is free" : "give --host another address";
  const where = typeof port === "number" && port > 0 ? `${address}:${port}` : address;
  return { code, message, exitCode, place: where, hint };
}

/** The exit code that an error carries, if perplab threw it. */
function readExitCode(value: unknown): ExitCode {
  const own = Object.values(EXIT).find((code) => code === value);
  return own === undefined || own === EXIT.ok ? EXIT.failure : own;
}

function unexpected(error: Error): Failure {
  return {
    code: "INTERNAL",
    message: `${error.message} (this is a fault in perplab)`,
    hint: "please report it, with the command and the lines below",
    stack: error.stack,
    exitCode: EXIT.failure,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function placeOf(file: unknown, line: unknown, column: unknown): string | undefined {
  const parts = [file, line, column].filter((part) => typeof part === "string" || typeof part === "number");
  return typeof file === "string" && parts.length > 0 ? parts.join(":") : undefined;
}

/** The lines that a person reads: code, place, reason, and what to do. */
export function formatFailure({ code, message, place, hint, stack }: Failure, colors: Colors): string {
  // A message that already has its place, or begins with its file, does not need it twice.
  const file = place?.replace(/:.*$/, "");
  const isSaid = place === undefined || isNamed(message, place) || message.startsWith(`${file}`);
  const where = isSaid ? "" : `${place}: `;
  const lines = [`${colors.red("error")} ${colors.bold(code)} ${where}${message}`];
  if (hint !== undefined) lines.push(`  ${colors.dim("hint:")} ${hint}`);
  if (stack !== undefined) lines.push(stack.replace(/^.*\n/, ""));
  return lines.join("\n");
}

/** Whether a message has the place as a whole word: `fol` is no part of "folder". */
function isNamed(message: string, place: string): boolean {
  return message.split(place).some((before, at, parts) => {
    const after = parts[at + 1];
    return after !== undefined && !/[\w.-]$/.test(before) && !/^\w/.test(after);
  });
}

/** Prints a failure on `err`, for a person or, with `--json`, for a program. Returns the exit code. */
export function printFailure(terminal: Terminal, error: unknown, asJson: boolean): ExitCode {
  const found = describeFailure(error);
  const { code, message, place, hint, exitCode } = found;
  terminal.err(
    asJson ? JSON.stringify({ error: { code, message, place, hint } }) : formatFailure(found, createColors(terminal)),
  );
  return exitCode;
}
