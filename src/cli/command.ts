import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** A way to call a command that is shown in its help and run by a test. */
export interface Example {
  /** The words after `perplab`, split at spaces. */
  readonly args: string;
  /** What it does, as a short sentence without a full stop. */
  readonly does: string;
}

/** The context that every command gets. */
export interface Context {
  readonly terminal: Terminal;
  /** Whether `--json` was given: one JSON value on `out`, and nothing else there. */
  readonly json: boolean;
  /** This call as it would be typed again, without the options named and those that only change how it prints. */
  readonly call: (without?: readonly string[]) => string;
}

/** One command of the command line. What it needs beyond its options, it imports when it runs: help stays fast. */
export interface CommandDefinition {
  readonly name: string;
  /** Another name that it has. */
  readonly alias?: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Text of the help before the options. */
  readonly description: string;
  /** In an order in which they work one after the other, in one folder. */
  readonly examples: readonly Example[];
  /** Declares arguments and options. */
  configure(command: Command): void;
  /** @throws CliError, or any error of the floors below; `fail.ts` prints it */
  run(context: Context, args: readonly string[], options: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Commands under one name: `perplab scenario run`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly commands: readonly CommandDefinition[];
}

/** An entry of the list of commands. */
export type CommandEntry = CommandDefinition | CommandGroup;

/** A command in the list of commands. It is loaded when it is called: help and other commands start without it. */
export interface CommandListing {
  readonly name: string;
  readonly alias?: string;
  readonly summary: string;
  /** Its arguments, as the help shows them. */
  readonly arguments?: string;
  load(): Promise<CommandEntry>;
}

export function isListing(entry: CommandEntry | CommandListing): entry is CommandListing {
  return "load" in entry;
}

export function isGroup(entry: CommandEntry): entry is CommandGroup {
  return "commands" in entry;
}

/** Examples of a command, or of all commands of a group. */
export function examplesOf(entry: CommandEntry): readonly Example[] {
  return isGroup(entry) ? entry.commands.flatMap(({ examples }) => examples) : entry.examples;
}

/** A command whose options have known types: those that `configure` declares. */
export function defineCommand<Options extends object>(
  definition: Omit<CommandDefinition, "run"> & {
    run(context: Context, args: readonly string[], options: Readonly<Options>): Promise<void>;
  },
): CommandDefinition {
  return {
    ...definition,
    run: (context, args, options) => definition.run(context, args, options as Readonly<Options>),
  };
}
