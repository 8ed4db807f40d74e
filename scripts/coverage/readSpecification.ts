/** Sections of the specification, with every sentence of their text and every row of their tables, in order. */
export type Specification = readonly { readonly title: string; readonly sentences: readonly string[] }[];

/**
 * Reads the specification's Markdown. A table row is its cells, joined by ` | `; numbers and dashes of lists are
 * omitted. Everything else is unchanged.
 */
export function readSpecification(markdown: string): Specification {
  const sections: { title: string; sentences: string[] }[] = [];
  let tableRow = 0;
  for (const line of markdown.split("\n").map((text) => text.trim())) {
    const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
    if (heading !== undefined) {
      sections.push({ title: heading, sentences: [] });
      continue;
    }
    const sentences = sections.at(-1)?.sentences ?? [];
    if (!line.startsWith("|")) {
      tableRow = 0;
      sentences.push(...splitSentences(line.replace(/^(?:\d+\.|-) /, "")));
      continue;
    }
    tableRow++;
    // The head of a table and the line below it.
    if (tableRow <= 2) continue;
    sentences.push(
      line
        .split("|")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
        .join(" | "),
    );
  }
  return sections.filter(({ sentences }) => sentences.length > 0);
}

/** At a point, a space and a capital letter, a word in code or an address. */
function splitSentences(text: string): string[] {
  return text.split(/(?<=\.) (?=[A-Z`])/).filter((sentence) => sentence !== "");
}
