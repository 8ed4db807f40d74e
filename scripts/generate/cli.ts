/** Renders `docs/reference/cli.md`: the help of every command, as it is printed. */
import { isGroup } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { runProgram } from "../../src/cli/program.ts";
import { generatedFrom } from "../markdown.ts";

export const path = "docs/reference/cli.md";

async function printHelp(...words: string[]): Promise<string> {
  const lines: string[] = [];
  const terminal = {
    out: (text: string) => void lines.push(text),
    err: (text: string) => void lines.push(text),
    interactive: false,
    columns: 100,
    color: false,
  };
  await runProgram([...words, "--help"], { commands, version: "", terminal });
  return `\`\`\`text\n${lines.join("\n").trim()}\n\`\`\`\n`;
}

const helps: string[] = [];
for (const entry of commands) {
  helps.push(`## ${entry.name}\n\n${await printHelp(entry.name)}`);
  if (!isGroup(entry)) continue;
  for (const { name } of entry.commands)
    helps.push(`### ${entry.name} ${name}\n\n${await printHelp(entry.name, name)}`);
}
const overview = await printHelp();

export function render(): string {
  return `${generatedFrom("src/cli")}
# The command line

In a clone, \`perplab\` is \`node bin/perplab.js\`.

${overview}
Results go to standard output, progress and errors to standard error. A bar with the time left is drawn on a terminal,
plain lines are printed elsewhere. Exit codes: 0 done; 1 the work could not be done (bad data, a strategy that failed, a log
that does not verify); 2 the call was wrong (an option, a name, a missing file). A failure is one line with a code, the place and the reason, and usually a second one with a hint; with \`--json\`, an object on standard error. Files
are written whole or not at all.

${helps.join("\n")}`;
}
