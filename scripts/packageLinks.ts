import { posix } from "node:path";

/** A link of a page to a missing target. */
export interface DeadLink {
  readonly page: string;
  readonly line: number;
  /** As written in the page. */
  readonly target: string;
}

/** Evidence that only the repository has. The pages of `docs` may link to it, the README may not. */
const EVIDENCE = /^test\//;

/**
 * Relative links of Markdown pages that lead to none of the files or folders. Pages of `docs` may also
 * link to tests, which are in the repository alone.
 *
 * @param files paths with slashes, from the top of the package
 */
export function findDeadLinks(files: readonly string[], readPage: (path: string) => string): DeadLink[] {
  const known = new Set(files.flatMap((path) => [path, ...foldersOf(path)]));
  return files
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) =>
      linksOf(readPage(page))
        .filter(({ target }) => {
          const path = posix.normalize(posix.join(posix.dirname(page), decodeURI(target.replace(/[#?].*$/, ""))));
          if (page.startsWith("docs/") && EVIDENCE.test(path)) return false;
          return !known.has(path.replace(/\/$/, ""));
        })
        .map(({ line, target }) => ({ page, line, target })),
    );
}

/** Targets of links and images outside of code, without addresses and places of the same page. */
function linksOf(text: string): { line: number; target: string }[] {
  const prose = text.replaceAll(/^```.*?^```$|`[^`\n]*`/gms, (code) => code.replaceAll(/[^\n]/g, " "));
  return [...prose.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)/gm)].flatMap(
    (match) => {
      const target = match[1] ?? match[2]!;
      const line = prose.slice(0, match.index).split("\n").length;
      return /^([a-z][a-z0-9+.-]*:|#|\/\/)/i.test(target) ? [] : [{ line, target }];
    },
  );
}

function foldersOf(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [folder, ...foldersOf(folder)];
}
