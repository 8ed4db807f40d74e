/**
 * Renders `src/cli/helpPages.ts`: what the help of each command says, so that it is printed without loading the
 * command.
 */
import type { Command } from "commander";
import { commands } from "../../src/cli/commands.ts";
import type { HelpList, HelpPage } from "../../src/cli/help.ts";
import { createProgram } from "../../src/cli/program.ts";

export const path = "src/cli/helpPages.ts";

const MARK = "\u0000";

const program = createProgram({
  commands,
  version: "",
  terminal: { out: () => undefined, err: () => undefined, interactive: false, columns: 100, color: false },
});

/** Pages by the words of a call before `--help`. */
function listPages(command: Command, words: readonly string[]): [string, HelpPage][] {
  const names = words.length === 0 ? [""] : [command.name(), ...command.aliases()];
  const calls = names.map((name) => [...words.slice(0, -1), name].join(" "));
  const page = readPage(command);
  return [
    ...calls.map((call): [string, HelpPage] => [call, page]),
    ...command.commands.flatMap((below) => listPages(below, [...words, below.name()])),
  ];
}

function readPage(command: Command): HelpPage {
  const help = command.createHelp();
  const lists: HelpList[] = [
    {
      heading: "Arguments:",
      items: help.visibleArguments(command).map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    },
    {
      heading: "Options:",
      items: help.visibleOptions(command).map((one) => [help.optionTerm(one), help.optionDescription(one)]),
    },
    {
      heading: "Commands:",
      items: help.visibleCommands(command).map((one) => [help.subcommandTerm(one), help.subcommandDescription(one)]),
    },
  ];
  return {
    usage: help.commandUsage(command),
    description: help.commandDescription(command),
    lists: lists.filter(({ items }) => items.length > 0),
    after: readAfter(command),
  };
}

/** What is printed after the lists. */
function readAfter(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.configureHelp({ formatHelp: () => MARK });
  command.outputHelp();
  return text
    .slice(text.indexOf(MARK) + MARK.length)
    .replace(/^\n/, "")
    .replace(/\n$/, "");
}

export function render(): string {
  const pages = Object.fromEntries(listPages(program, []));
  return `// Generated from src/cli/commands.ts by \`npm run generate\`. Do not edit.
import type { HelpPage } from "./help.ts";

/** By the words of a call before \`--help\`: the program, its commands, and those of groups. */
export const helpPages: Readonly<Record<string, HelpPage>> = ${JSON.stringify(pages)};
`;
}
