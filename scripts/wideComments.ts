/** Most columns of a comment line. */
export const COLUMNS_MOST = 120;

const OPENING = /^\s*\/\*/;
const COMMENT = /^\s*(\/\/|\/\*+|\*) ?/;

/**
 * Lines of comments that are wider than allowed, counted from 1. Lines that cannot be divided are left out: commands
 * and tables, which are indented or begin with a bar, and addresses.
 */
export function findWideComments(text: string, most = COLUMNS_MOST): number[] {
  const wide: number[] = [];
  let isInside = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (OPENING.test(line)) isInside = true;
    const head = COMMENT.exec(line)?.[0];
    const isComment = head !== undefined && (isInside || head.includes("//"));
    if (isComment && line.length > most) {
      const content = line.slice(head.length);
      if (!/^( {3}|\|)|https?:\/\/\S{60}/.test(content)) wide.push(index + 1);
    }
    if (isInside && line.includes("*/")) isInside = false;
  }
  return wide;
}
