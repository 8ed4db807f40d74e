/** Renders `src/cli/commandTable.ts`: what the overview shows of each command, and the file that defines it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { type CommandEntry, isGroup } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";

export const path = "src/cli/commandTable.ts";

const folder = join(import.meta.dirname, "../../src/cli");

/** The import of each command in `commands.ts`: exported name and file. */
const imports = new Map<CommandEntry, { readonly name: string; readonly file: string }>();
for (const [, names = "", file = ""] of readFileSync(join(folder, "commands.ts"), "utf8").matchAll(
  /^import \{ (\w+) \} from "(\.\/commands\/[^"]+)";$/gm,
)) {
  const module = (await import(pathToFileURL(join(folder, file)).href)) as Readonly<Record<string, CommandEntry>>;
  imports.set(module[names]!, { name: names, file });
}

export function render(): string {
  return `// Generated from src/cli/commands.ts by \`npm run generate\`. Do not edit.
import type { CommandListing } from "./command.ts";

/** Every command, in the order of the help. A command is loaded when it is called. */
export const commandTable: readonly CommandListing[] = [
${commands.map(renderEntry).join("\n")}
];
`;
}

function renderEntry(entry: CommandEntry): string {
  const found = imports.get(entry);
  if (found === undefined) throw new Error(`commands.ts has ${entry.name} without an import that names it`);
  const alias = isGroup(entry) ? undefined : entry.alias;
  const words = argumentsOf(entry);
  return `  {
    name: ${JSON.stringify(entry.name)},
    ${alias === undefined ? "" : `alias: ${JSON.stringify(alias)},`}
    summary: ${JSON.stringify(entry.summary)},
    ${words === "" ? "" : `arguments: ${JSON.stringify(words)},`}
    load: async () => (await import(${JSON.stringify(found.file)})).${found.name},
  },`;
}

/** The arguments of a command as its help shows them. */
function argumentsOf(entry: CommandEntry): string {
  if (isGroup(entry)) return "";
  const command = new Command();
  entry.configure(command);
  return command.registeredArguments
    .map((argument) => {
      const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
      return argument.required ? `<${name}>` : `[${name}]`;
    })
    .join(" ");
}
