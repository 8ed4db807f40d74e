/** A word of a command line as a shell takes it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A call of the command line as a user types it: `perplab`, then these words. */
export function formatCommand(words: readonly string[]): string {
  return ["perplab", ...words].map(quoteWord).join(" ");
}

/** The words of a call that `formatCommand` wrote, without `perplab`; undefined for any other text. */
export function splitCommand(text: string): string[] | undefined {
  const words: string[] = [];
  for (const [, word = ""] of text.matchAll(/(?:^| )((?:'[^']*'|\\'|[^\s'\\])+)/g)) {
    words.push(word.replace(/'([^']*)'|\\(')/g, (_, quoted: string | undefined, quote = "") => quoted ?? quote));
  }
  return words[0] === "perplab" && formatCommand(words.slice(1)) === text ? words.slice(1) : undefined;
}
