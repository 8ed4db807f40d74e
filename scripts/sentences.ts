/**
 * Most words of a sentence in the README, the data page and the pages of `docs`: guides, rulebook, decisions, and those
 * at the top.
 */
export const WORDS_MOST = 25;

const MEASURED = /^(README\.md|data\/README\.md|docs\/[^/]+\.md|docs\/(adr|guides|spec)\/.*\.md)$/;
/** Lines that are not prose: headings, tables, and the lists of scenarios that `npm run generate` writes. */
const ASIDE = /^\s*\||^#|^Scenarios: /;
const ITEM = /^\s*([-*]|\d+\.)\s+/;
const SENTENCE_END = /(?<=[.!?][)"*]*)\s+(?=[["(*]*[A-Z\d])/g;

/** A sentence that is too long, with its line and its first words. */
export interface LongSentence {
  readonly line: number;
  readonly words: number;
  readonly start: string;
}

export const isMeasured = (file: string): boolean => MEASURED.test(file);

/**
 * Sentences of a Markdown page with more words than allowed. Code is one word, a link has the words of its text; blocks
 * of code, tables and headings are left out. Each item of a list has its own sentences.
 */
export function findLongSentences(text: string, most = WORDS_MOST): LongSentence[] {
  // Everything that is not prose is replaced by as many other characters, so that offsets are those of the page.
  const plain = text
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, (found) => found.replace(/[^\n]/g, " "))
    .replace(/`[^`]*`/g, (found) => "0".repeat(found.length))
    .replace(/\]\([^)]*\)/g, (found) => " ".repeat(found.length));
  const long: LongSentence[] = [];
  for (const { at, part } of paragraphsOf(plain)) {
    let from = 0;
    for (const end of [...[...part.matchAll(SENTENCE_END)].map(({ index }) => index), part.length]) {
      const words = part
        .slice(from, end)
        .split(/\s+/)
        .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words > most) {
        const begin = at + from + /^\s*/.exec(part.slice(from))![0].length;
        const line = text.slice(0, begin).split("\n").length;
        long.push({ line, words, start: text.slice(begin).split(/\s+/, 6).join(" ") });
      }
      from = end;
    }
  }
  return long;
}

function paragraphsOf(plain: string): { readonly at: number; readonly part: string }[] {
  const paragraphs: { at: number; part: string }[] = [];
  let open: { at: number; part: string } | undefined;
  let at = 0;
  for (const line of plain.split("\n")) {
    const item = ITEM.exec(line);
    if (line.trim() === "" || ASIDE.test(line) || (open === undefined && item === null && /^ {4}/.test(line))) {
      open = undefined;
    } else if (open === undefined || item !== null) {
      const skipped = item?.[0].length ?? 0;
      open = { at: at + skipped, part: line.slice(skipped) };
      paragraphs.push(open);
    } else {
      open.part += `\n${line}`;
    }
    at += line.length + 1;
  }
  return paragraphs;
}
