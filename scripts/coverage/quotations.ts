import type { Specification } from "./readSpecification.ts";
import type { StatementSection } from "./statements.ts";

/** Marks sentences on points that the specification leaves open. */
const NOT_SHOWN = /: not shown\b.*\.$/;

/**
 * Differences between statements and specification: a statement that does not quote its section, a part of the
 * specification that no statement quotes, and a part that two statements quote.
 *
 * @param left sentences of the specification that are not about the service
 */
export function findMisquotes(
  specification: Specification,
  sections: readonly StatementSection[],
  left: readonly string[],
): string[] {
  const faults: string[] = [];
  for (const { title, sentences } of specification) {
    const own = sections.filter(({ of }) => of.includes(title));
    if (own.length === 0 && !sentences.every((sentence) => saysNothing(sentence, left))) {
      faults.push(`no section quotes "${title}"`);
    }
  }
  for (const { of, statements } of sections) {
    const parts = specification.filter(({ title }) => of.includes(title));
    for (const title of of)
      if (!parts.some((part) => part.title === title)) faults.push(`there is no section "${title}"`);
    const sentences = parts.flatMap((part) => part.sentences);
    let rest = sentences.filter((sentence) => !saysNothing(sentence, left)).join("\n");
    // Longer ones first: otherwise a short one could take a part of a long one.
    for (const { id, says } of [...statements].sort((a, b) => b.says.length - a.says.length)) {
      const at = findQuotation(rest, says);
      if (at === undefined) faults.push(`${id} is no quotation of ${of.join(", ")}: ${says}`);
      else rest = `${rest.slice(0, at)}\n\u00a7\n${rest.slice(at + says.length)}`;
    }
    // What separates the parts of a list may be left.
    for (const line of rest.split("\n")) if (/[^\s;,\u00a7]/.test(line)) faults.push(`nothing quotes: ${line.trim()}`);
  }
  const opening = specification.flatMap(({ sentences }) => sentences);
  for (const sentence of left) if (!opening.includes(sentence)) faults.push(`not in the specification: ${sentence}`);
  return faults;
}

const saysNothing = (sentence: string, left: readonly string[]) => left.includes(sentence) || NOT_SHOWN.test(sentence);

/** Position of a text as whole words; consecutive sentences are joined by spaces. */
function findQuotation(rest: string, says: string): number | undefined {
  const text = rest.replaceAll("\n", " ");
  for (let at = text.indexOf(says); at >= 0; at = text.indexOf(says, at + 1)) {
    const around = [text[at - 1] ?? " ", text[at + says.length] ?? " "];
    if (/\s/.test(around[0]!) && /[\s;,.]/.test(around[1]!)) return at;
  }
  return undefined;
}
