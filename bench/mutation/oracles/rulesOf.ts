import ts from "typescript";

/**
 * Rules that a place of a source implements: those that the comment of the innermost declaration around it cites, else
 * those of any comment of the file.
 *
 * @param known ids of rules: other words in capitals are not rules
 */
export function createRuleFinder(source: string, known: ReadonlySet<string>): (place: number) => readonly string[] {
  const parsed = ts.createSourceFile("x.ts", source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const cited = (text: string) => [
    ...new Set((text.match(/\b[A-Z]{2,3}(?:-\d+)?\b/g) ?? []).filter((id) => known.has(id))),
  ];
  const commentsOf = (node: ts.Node) =>
    (ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [])
      .map(({ pos, end }) => source.slice(pos, end))
      .join("\n");
  const all: string[] = [];
  const collect = (node: ts.Node): void => {
    all.push(...cited(commentsOf(node)));
    ts.forEachChild(node, collect);
  };
  collect(parsed);
  const ofFile = [...new Set(all)];
  return (place) => {
    let found: readonly string[] = [];
    const visit = (node: ts.Node): void => {
      if (node.getFullStart() > place || node.getEnd() < place) return;
      const own = isDeclaration(node) ? cited(commentsOf(node)) : [];
      if (own.length > 0) found = own;
      ts.forEachChild(node, visit);
    };
    visit(parsed);
    return found.length > 0 ? found : ofFile;
  };
}

function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableStatement(node) ||
    ts.isPropertyAssignment(node)
  );
}
