/** Pieces of Markdown for the generated pages. */

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** A table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** Text as code; a dash where there is none. */
export const code = (text: string): string => (text === "" ? "–" : `\`${text}\``);

/** The first line of a generated page. */
export const generatedFrom = (source: string): string =>
  `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`;
