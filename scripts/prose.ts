import ts from "typescript";

/** `prose.json`: words that are not used, what to write instead, and where they are allowed with the reason. */
export interface ProseRules {
  readonly words: readonly { readonly word: string; readonly write: string; readonly names?: boolean }[];
  readonly allowed: readonly { readonly phrase: string; readonly reason: string }[];
  /** Files that begin with `path` may use these words. */
  readonly files: readonly { readonly path: string; readonly words: readonly string[]; readonly reason: string }[];
  /** Folders that are not rewritten yet, and how many uses they may have at most. */
  readonly open: readonly { readonly path: string; readonly most: number }[];
}

/** One use of a word of the list. */
export interface ProseFault {
  readonly line: number;
  readonly found: string;
  readonly write: string;
}

const SOURCES = /^(src|test|scripts|bench|examples)\/.*\.ts$/;
const PAGES = /^(docs|scenarios|README\.md|bench\/README\.md|examples)/;
/** Pages that are not checked: generated ones follow their source; quotations keep their words. */
const ASIDE =
  /^(docs\/evidence\/|docs\/reference\/openapi|docs\/reference\/asyncapi|test\/vectors\/|scripts\/prose|test\/architecture\/prose)/;

export function isChecked(file: string): boolean {
  return !ASIDE.test(file) && (SOURCES.test(file) || (PAGES.test(file) && /\.(md|yaml)$/.test(file)));
}

/** Uses of listed words in a file: in names, comments and texts of a source; in a page outside of links and code. */
export function findProse(file: string, text: string, rules: ProseRules): ProseFault[] {
  const aside = new Set(rules.files.filter(({ path }) => file.startsWith(path)).flatMap(({ words }) => words));
  const words = rules.words
    .filter(({ word }) => !aside.has(word))
    .map(({ word, write, names }) => ({ pattern: new RegExp(`\\b(${word})\\b`, "gi"), write, names: names === true }));
  const allowed = rules.allowed.map(({ phrase }) => new RegExp(phrase, "gi"));
  const faults: ProseFault[] = [];
  for (const { at, part, isName } of partsOf(file, text)) {
    const plain = allowed.reduce((rest, pattern) => rest.replace(pattern, (found) => " ".repeat(found.length)), part);
    const read = isName ? splitName(plain) : plain;
    for (const { pattern, write, names } of words) {
      if (isName && !names) continue;
      for (const match of read.matchAll(pattern)) {
        const line = text.slice(0, at + (isName ? 0 : match.index)).split("\n").length;
        faults.push({ line, found: isName ? part : match[0], write });
      }
    }
  }
  return faults.sort((a, b) => a.line - b.line);
}

/**
 * What is wrong with the faults of files: those of rewritten folders, and open folders that have more than they may.
 */
export function judgeProse(
  faults: readonly (ProseFault & { readonly file: string })[],
  { open }: ProseRules,
): { readonly refused: readonly string[]; readonly left: readonly string[] } {
  const refused: string[] = [];
  const left: string[] = [];
  const counts = new Map(open.map(({ path }) => [path, 0]));
  for (const { file, line, found, write } of faults) {
    const place = open.find(({ path }) => file.startsWith(path));
    if (place === undefined) refused.push(`${file}:${line} ${found}: write ${write}`);
    else counts.set(place.path, counts.get(place.path)! + 1);
  }
  for (const { path, most } of open) {
    const count = counts.get(path)!;
    if (count > most) refused.push(`${path}: ${count} uses instead of at most ${most}`);
    else left.push(`${path}: ${count} of at most ${most}`);
  }
  return { refused, left };
}

interface Part {
  readonly at: number;
  readonly part: string;
  readonly isName: boolean;
}

function partsOf(file: string, text: string): Part[] {
  if (file.endsWith(".ts")) return partsOfSource(file, text);
  if (file.endsWith(".yaml")) return [{ at: 0, part: text.replace(/^.*\$schema.*$/m, blank), isName: false }];
  return [{ at: 0, part: text.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g, blank), isName: false }];
}

const blank = (found: string) => found.replace(/[^\n]/g, " ");

/** `toldAgain` as `told Again`. */
const splitName = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ");

function partsOfSource(file: string, text: string): Part[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const parts: Part[] = [];
  const seen = new Set<number>();
  const names = new Set<string>();
  const addComments = (at: number) => {
    const ranges = [...(ts.getLeadingCommentRanges(text, at) ?? []), ...(ts.getTrailingCommentRanges(text, at) ?? [])];
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      parts.push({ at: pos, part: text.slice(pos, end).replace(/`[^`\n]*`/g, blank), isName: false });
    }
  };
  const visit = (node: ts.Node) => {
    addComments(node.getFullStart());
    addComments(node.end);
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const part = node.text;
      if (!names.has(part)) parts.push({ at: node.getStart(source), part, isName: true });
      names.add(part);
    } else if (isText(node) && !isSpecifier(node)) {
      parts.push({ at: node.getStart(source), part: text.slice(node.getStart(source), node.end), isName: false });
    }
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return parts;
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

const isSpecifier = ({ parent }: ts.Node) => ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
