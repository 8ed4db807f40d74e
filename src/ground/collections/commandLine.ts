/** A word of a command line as a shell takes it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A call of the command line as a user types it: `perplab`, then these words. */
export function formatCommand(words: readonly string[]): string {
  return ["perplab", ...words].map(quoteWord).join(" ");
}
