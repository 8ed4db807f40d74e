import { Command } from "commander";
import type { Channel } from "../../../product/strategy-host/channel.ts";
import { type Definition, readDefinition } from "../../../product/strategy-host/definition.ts";
import { invalidMessage, StrategyHostError } from "../../../product/strategy-host/errors.ts";
import { BATCH } from "../../../product/strategy-host/remoteStrategy.ts";
import type { CommandDefinition, Context } from "../../command.ts";
import { usageError } from "../../fail.ts";
import type { Terminal } from "../../terminal.ts";

/** A work as a client asks for it: a strategy, and the options of a command as words. */
export interface HostRequest {
  /** Name of an example, path of a module, or a strategy of the client. */
  readonly strategy: string | Definition;
  readonly words: readonly string[];
  /** The call that repeats the work, for the report. */
  readonly command: string;
  /** Most bars that are sent ahead at once. */
  readonly batch: number;
}

/** A message of so many bars is still short. */
const BATCH_MOST = 65_536;

const FIELDS: ReadonlySet<string> = new Set(["strategy", "words", "command", "batch"]);

/** @throws {StrategyHostError} MESSAGE_INVALID */
export function readHostRequest(value: unknown): HostRequest {
  if (typeof value !== "object" || value === null) throw invalidMessage("a work is a map");
  for (const name of Object.keys(value)) {
    if (!FIELDS.has(name)) throw invalidMessage(`a work has no field ${name}`, name);
  }
  const { strategy, words, command, batch = BATCH } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(words) || words.some((word) => typeof word !== "string")) {
    throw invalidMessage("`words` is a list of texts", "words");
  }
  if (typeof command !== "string") throw invalidMessage("`command` is a text", "command");
  if (!Number.isInteger(batch) || (batch as number) < 1 || (batch as number) > BATCH_MOST) {
    throw invalidMessage(`\`batch\` is a whole number from 1 to ${BATCH_MOST}`, "batch");
  }
  return {
    strategy: typeof strategy === "string" ? strategy : readDefinition(strategy),
    words,
    command,
    batch: batch as number,
  };
}

/** Options of a command that a host does not take: at all, or with a strategy whose file perplab cannot read. */
export interface RefusedOptions {
  readonly always: readonly string[];
  readonly ofClient: readonly string[];
}

/**
 * Reads words as the options of a command.
 *
 * @throws {CliError} the fault of a word
 */
export function readWords<Options>(
  definition: CommandDefinition,
  { strategy, words }: HostRequest,
  { always, ofClient }: RefusedOptions,
): Options {
  const command = new Command(definition.name).exitOverride().configureOutput({ writeErr: () => undefined });
  definition.configure(command);
  try {
    command.parse([typeof strategy === "string" ? strategy : strategy.id, ...words], { from: "user" });
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code?.startsWith("commander.") !== true) throw error;
    throw usageError("USAGE", message.replace(/^error: /, ""), { hint: "docs/reference/cli.md has every option" });
  }
  const options = command.opts<Record<string, unknown>>();
  const refused = typeof strategy === "string" ? always : [...always, ...ofClient];
  const odd = refused.find((name) => options[name] !== undefined);
  if (odd === undefined) return options as Options;
  throw usageError("OPTION_INVALID", "a run for another program does not take it", {
    place: odd,
    hint: "leave it out; the command line has it for strategies in files",
  });
}

/** The context of a command whose progress goes to the client. */
export function createHostContext(channel: Channel, { command }: HostRequest, { columns }: Terminal): Context {
  const terminal: Terminal = {
    out: () => undefined,
    err: (text) => sendProgress(channel, text),
    interactive: false,
    columns,
    color: false,
  };
  return { terminal, json: false, call: () => command };
}

/** Where nothing waits for the client, its end is noticed here: more work would be useless. */
function sendProgress(channel: Channel, text: string): void {
  try {
    channel.send(["progress", text]);
  } catch (error) {
    if (!(error instanceof StrategyHostError)) throw error;
    // As Ctrl-C does: what was begun is removed.
    process.kill(process.pid, "SIGTERM");
  }
}
