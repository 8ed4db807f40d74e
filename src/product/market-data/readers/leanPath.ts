/** Names of Lean's files, which say what is in them. */

/** Name of the layout. */
export const LEAN = "lean";

const FILE =
  /(?:^|[\\/])crypto(?:future)?[\\/][^\\/]+[\\/](?:(?:tick|second|minute)[\\/]([a-z0-9]+)[\\/]\d{8}_|(?:hour|daily)[\\/]([a-z0-9]+)_|margin_interest[\\/]([a-z0-9]+)\.)/;

/** True for a file in Lean's folders of crypto. */
export function isLeanPath(path: string): boolean {
  return FILE.test(path);
}

/** The symbol of a file in Lean's folders, in capitals; `undefined` for other files. */
export function leanSymbol(path: string): string | undefined {
  const [, ofDay, ofAll, ofFunding] = FILE.exec(path) ?? [];
  return (ofDay ?? ofAll ?? ofFunding)?.toUpperCase();
}
