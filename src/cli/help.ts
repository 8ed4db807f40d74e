/** The help of a command before it is wrapped to a width. */
export interface HelpPage {
  readonly usage: string;
  readonly description: string;
  readonly lists: readonly HelpList[];
  /** The part after the lists, not wrapped: examples. */
  readonly after: string;
}

/** Arguments, options or commands, each with what it means. */
export interface HelpList {
  readonly heading: string;
  readonly items: readonly (readonly [term: string, meaning: string])[];
}

/** Columns where the output is no terminal. */
export const COLUMNS = 100;
/** Text in a narrower column is not wrapped. */
const NARROWEST = 40;
const HELP = ["--help", "-h"];

/** Columns of the help on an output of a given width. */
export function getHelpWidth(columns: number): number {
  return Math.min(columns, 110);
}

/**
 * The help that a call asks for and nothing else: `--help`, `<command> --help` or `<group> <command> --help`. Undefined
 * for any other call. It is what the program prints, which has to load the command and its parser first.
 */
export async function findHelp(argv: readonly string[], columns: number): Promise<string | undefined> {
  if (!HELP.includes(argv.at(-1) ?? "")) return undefined;
  const { helpPages } = await import("./helpPages.ts");
  const name = argv.slice(0, -1).join(" ");
  if (!Object.hasOwn(helpPages, name)) return undefined;
  return formatHelp(helpPages[name]!, getHelpWidth(columns));
}

/** A page as commander prints it. */
export function formatHelp({ usage, description, lists, after }: HelpPage, width: number): string {
  const column = Math.max(...lists.flatMap(({ items }) => items.map(([term]) => term.length)));
  const format = ([term, meaning]: readonly [string, string]) => {
    if (meaning === "") return `  ${term}`;
    const lines = wrap(meaning, width - column - 4);
    return `  ${term.padEnd(column)}  ${lines.join(`\n${" ".repeat(column + 4)}`)}`;
  };
  return [
    `Usage: ${usage}`,
    "",
    ...wrap(description, width),
    "",
    ...lists.flatMap(({ heading, items }) => [heading, ...items.map(format), ""]),
    after,
  ].join("\n");
}

/** Lines of words, each as long as the width allows. A longer word has a line of its own. */
function wrap(text: string, width: number): string[] {
  if (width < NARROWEST) return [text];
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(" ")) {
    if (line === undefined) line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === undefined ? lines : [...lines, line];
}
