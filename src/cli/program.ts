import { Command, CommanderError, type Option } from "commander";
import { formatCommand } from "../ground/collections/commandLine.ts";
import {
  type CommandDefinition,
  type CommandEntry,
  type CommandListing,
  type Example,
  examplesOf,
  isGroup,
  isListing,
} from "./command.ts";
import { EXIT, type ExitCode, failure, printFailure, usageError } from "./fail.ts";
import { getHelpWidth } from "./help.ts";
import type { Terminal } from "./terminal.ts";

/** The parts of the command line. */
export interface ProgramOptions {
  /** Commands, or their listings, of which the called one is loaded. */
  readonly commands: readonly (CommandEntry | CommandListing)[];
  readonly version: string;
  readonly terminal: Terminal;
}

/** Runs one call of `perplab`. Every failure is printed, never thrown. */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<ExitCode> {
  const { terminal } = options;
  const asJson = argv.includes("--json");
  try {
    const commands = await loadCalled(argv, options.commands);
    await createProgram({ ...options, commands }).parseAsync(argv as string[], { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printFailure(terminal, error, asJson);
    // Help and version end with an exception too.
    if (error.exitCode === 0) return EXIT.ok;
    if (error.code === "commander.help") return EXIT.usage;
    return printFailure(terminal, readUsageFault(error), asJson);
  }
}

/**
 * Reports an error if the process ends while its command is at work: a strategy that calls `process.exit(0)`, or waits
 * for what never comes, must not look like a success. A script of `perplab run` may end the process.
 *
 * @param isAllowed whether the end is meant to be silent
 * @returns to be called when the command is done
 */
export function reportEarlyExit(terminal: Terminal, argv: readonly string[], isAllowed: () => boolean): () => void {
  if (argv.find((word) => !word.startsWith("-")) === "run") return () => undefined;
  const report = () => {
    if (isAllowed()) return;
    const error = failure("STRATEGY_BROKEN", "the process was ended before the command was done", {
      hint: "a strategy must not call process.exit, or wait for a promise that is never fulfilled",
    });
    process.exitCode = printFailure(terminal, error, argv.includes("--json"));
  };
  process.once("exit", report);
  return () => void process.off("exit", report);
}

/** The commands, with the definition of the one that is called in place of its listing. */
async function loadCalled(argv: readonly string[], commands: ProgramOptions["commands"]): Promise<typeof commands> {
  // No option of the program takes a value, so the first other word is the command.
  const word = argv.find((given) => !given.startsWith("-"));
  return Promise.all(
    commands.map((entry) => {
      const isCalled = isListing(entry) && word !== undefined && (entry.name === word || entry.alias === word);
      return isCalled ? entry.load() : entry;
    }),
  );
}

/** A mistyped name of an option that must be given is reported as unknown, not as an option that is missing. */
class StrictCommand extends Command {
  missingMandatoryOptionValue(option: Option): void {
    const inherited = Command.prototype as unknown as {
      missingMandatoryOptionValue(this: Command, option: Option): void;
      unknownOption(this: Command, flag: string): void;
    };
    const unknown = this.args.find((word) => word.startsWith("-") && word !== "-");
    if (unknown !== undefined) inherited.unknownOption.call(this, unknown);
    inherited.missingMandatoryOptionValue.call(this, option);
  }
}

/** The `commander` program for a table of commands. */
export function createProgram({ commands, version, terminal }: ProgramOptions): Command {
  const program = new Command("perplab")
    .description("A perpetual-futures venue in a box: one deterministic state machine for backtests and more.")
    .version(version, "-V, --version", "print the version")
    // Words after the script of `perplab run` belong to the script.
    .enablePositionalOptions()
    .helpCommand(false);
  settle(program, terminal);
  program.addHelpText("after", "\nRun `perplab <command> --help` for the options and examples of a command.");

  for (const entry of commands) {
    program.addCommand(isListing(entry) ? createListed(entry, terminal) : createCommand(entry, terminal));
  }
  return program;
}

/** A command that is listed in the overview and not called. */
function createListed(entry: CommandListing, terminal: Terminal): Command {
  const command = new Command(entry.name).summary(entry.summary);
  if (entry.alias !== undefined) command.alias(entry.alias);
  if (entry.arguments !== undefined) command.arguments(entry.arguments);
  settle(command, terminal);
  return command;
}

function createCommand(entry: CommandEntry, terminal: Terminal): Command {
  const command = new StrictCommand(entry.name).summary(entry.summary).description(entry.description);
  settle(command, terminal);
  command.addHelpText("after", formatExamples(examplesOf(entry)));
  if (isGroup(entry)) {
    command.helpCommand(false);
    for (const below of entry.commands) command.addCommand(createCommand(below, terminal));
  } else makeRunnable(command, entry, terminal);
  return command;
}

function makeRunnable(command: Command, definition: CommandDefinition, terminal: Terminal): void {
  if (definition.alias !== undefined) command.alias(definition.alias);
  definition.configure(command);
  command.option("--json", "print one JSON value instead of text");
  const typed = recordTyped(command);
  command.action(async () => {
    const given = command.opts<Record<string, unknown>>();
    const call = (without: readonly string[] = []) => formatCall(command, typed, without);
    await definition.run({ terminal, json: given["json"] === true, call }, command.args, given);
  });
}

/** Settings of all levels: where they print, how they end, how help looks. */
function settle(command: Command, terminal: Terminal): void {
  command
    .helpOption("-h, --help", "print this help")
    .option("--no-color", "print without colours (as does the environment variable NO_COLOR)")
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureHelp({ helpWidth: getHelpWidth(terminal.columns), showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, "")),
      writeErr: (text) => terminal.err(text.replace(/\n$/, "")),
      // Printed by runProgram, in the form of every other failure.
      outputError: () => undefined,
    });
}

function formatExamples(examples: readonly Example[]): string {
  const lines = examples.map(({ args, does }) => `  # ${does}\n  perplab ${args}`);
  return `\nExamples:\n${lines.join("\n")}`;
}

/** Options that change the printed output, not the work. */
const PRINTING = ["json", "color"];

/** Values of options as typed, by the name of the option: the parsed form of `10m` is not what a call takes. */
function recordTyped(command: Command): ReadonlyMap<string, readonly string[]> {
  const typed = new Map<string, string[]>();
  for (const option of command.options) {
    const name = option.attributeName();
    command.on(`option:${option.name()}`, (value: unknown) => {
      const words = typeof value === "string" ? [value] : [];
      typed.set(name, isList(option) ? [...(typed.get(name) ?? []), ...words] : words);
    });
  }
  return typed;
}

/** Whether an option takes several values, after one name or under the name repeated. */
function isList({ variadic, parseArg }: Option): boolean {
  return variadic || (parseArg?.length ?? 0) > 1;
}

/** A call as it would be typed again: the arguments, then the options that were given. */
function formatCall(
  command: Command,
  typed: ReadonlyMap<string, readonly string[]>,
  without: readonly string[],
): string {
  const words = [...namesOf(command), ...command.args];
  for (const option of command.options) {
    const name = option.attributeName();
    if (PRINTING.includes(name) || without.includes(name) || command.getOptionValueSource(name) !== "cli") continue;
    const values = (typed.get(name) ?? []).map(hidePassword);
    const flag = option.long ?? "";
    if (isList(option) && !option.variadic) words.push(...values.flatMap((value) => [flag, value]));
    else words.push(flag, ...values);
  }
  return formatCommand(words);
}

/** An address without its password: calls are printed, and written into files. */
function hidePassword(word: string): string {
  return word.replace(/^(\w+:\/\/[^@/:]*):[^@/]*@/, "$1@");
}

/** A group if there is one, and the command. */
function namesOf(command: Command): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` -> message and hint. */
function readUsageFault(error: CommanderError): Error {
  const [, message = error.message, suggestion] = /^(?:error: )?([^\n]*)(?:\n\((.*)\))?$/.exec(error.message) ?? [];
  const hint = suggestion === undefined ? "`--help` lists what there is" : lowerFirst(suggestion);
  return usageError("USAGE", message, { hint });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
