import ts from "typescript";
import { type Change, listChanges } from "./mutators.ts";

/** A change at its place. */
export interface Mutant extends Change {
  /** Key of the mutant, stable while its file has the same text: file, mutator, texts, and index among equal ones. */
  readonly key: string;
  /** Path under `src`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly from: number;
  readonly to: number;
  readonly original: string;
}

/** Names that no source uses: `turn` alone is a variable in places. */
const IS = "isMutant$";
const MAY = "mayBe$";
const COVERING = "covering$";
const SAW = "saw$";
const TURN = "turn$";
/** Prefix of the functions that compute both values of a place. */
const PLACE = "place$";

/** Mutants to write into a file, by number. */
export type Numbered = ReadonlyMap<number, Mutant>;

/** Every mutant of a source, from top to bottom. */
export function listMutants(file: string, source: string): Mutant[] {
  const parsed = parse(file, source);
  const mutants: Mutant[] = [];
  const alike = new Map<string, number>();
  const text = (node: ts.Node) => node.getText(parsed);
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isAssertion(node)) return;
    for (const change of listChanges(node, text)) {
      const from = node.getStart(parsed);
      const { line, character } = parsed.getLineAndCharacterOfPosition(from);
      const plain = `${file} ${change.mutator}: ${shorten(text(node))} => ${shorten(change.text)}`;
      const turn = (alike.get(plain) ?? 0) + 1;
      alike.set(plain, turn);
      mutants.push({
        ...change,
        key: turn === 1 ? plain : `${plain} #${turn}`,
        file,
        line: line + 1,
        column: character + 1,
        from,
        to: node.getEnd(),
        original: text(node),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return mutants;
}

function shorten(words: string): string {
  return words.replace(/\s+/g, " ").slice(0, 80);
}

/** Internal assertions throw in impossible cases: their words do not matter. */
function isAssertion(node: ts.Node): boolean {
  return ts.isThrowStatement(node);
}

/**
 * The source with switches: `isMutant(number)` selects a mutant, otherwise the original runs. Mutants within a changed
 * part are omitted, since only one is active at a time. Every loop turn is counted to detect endless loops. Without
 * side effects, the mutant's value is computed together with the original while places are noted: a case in which both
 * values are always equal is of no use.
 *
 * @param runtime path of `mutant.ts` from the file
 */
export function instrument(file: string, source: string, mutants: Numbered, runtime: string): string {
  const parsed = parse(file, source);
  const byPlace = new Map<string, [number, Mutant][]>();
  for (const [number, mutant] of mutants) {
    const place = `${mutant.from} ${mutant.to}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), [number, mutant]]);
  }
  let loops = 0;
  const places: string[] = [];
  const print = (node: ts.Node): string => {
    const place = `${node.getStart(parsed)} ${node.getEnd()}`;
    if (ts.isBinaryExpression(node) && byPlace.get(place)?.some(([, { operator }]) => operator !== undefined)) {
      const here = byPlace.get(place)!;
      byPlace.delete(place);
      const sides = [node.left, node.operatorToken, node.right].map(print) as [string, string, string];
      return wrapOperation(sides, here, places);
    }
    let text = "";
    let at = node.getStart(parsed);
    ts.forEachChild(node, (child) => {
      text += source.slice(at, child.getStart(parsed));
      at = child.getEnd();
      if (ts.isIterationStatement(node, false) && child === node.statement) {
        loops++;
        text += `{ ${TURN}(); ${print(child)} }`;
      } else {
        text += print(child);
      }
    });
    text += source.slice(at, node.getEnd());
    const here = byPlace.get(place);
    if (here === undefined) return text;
    byPlace.delete(place);
    return wrap(node, text, here, places);
  };
  const body = source.slice(0, parsed.getStart(parsed)) + print(parsed) + source.slice(parsed.getEnd());
  if (mutants.size + loops === 0) return source;
  const names = [IS, MAY, COVERING, SAW, TURN].map((name) => `${name.slice(0, -1)} as ${name}`).join(", ");
  return `import { ${names} } from "${runtime}";\n${body}\n${places.join("\n")}`;
}

/** A place with other values. For a condition the value is noted: "always true" is no change if it is true. */
function wrap(node: ts.Node, text: string, here: readonly [number, Mutant][], places: string[]): string {
  if (ts.isStatement(node)) {
    return `{ if (${here.map(([number]) => `${IS}(${number})`).join(" || ")}) {} else { ${text} } }`;
  }
  const conditions = here.filter(([, { mutator }]) => mutator === "condition");
  const choices = here.map((one) => choose(one, conditions.includes(one))).join("");
  if (conditions.length === 0) return `(${choices}(${text}))`;
  const name = `${PLACE}${places.length}`;
  places.push(`function ${name}(v) { if (${COVERING}) { ${seeConditions(conditions)} } return v; }`);
  return `(${choices}${name}(${text}))`;
}

/** An operation with other operators: both sides are computed once, and every result from them. */
function wrapOperation(
  [left, operator, right]: readonly [string, string, string],
  here: readonly [number, Mutant][],
  places: string[],
): string {
  const conditions = here.filter(([, { mutator }]) => mutator === "condition");
  const others = here.filter(([, mutant]) => mutant.operator !== undefined);
  const choices = here.map((one) => choose(one, conditions.includes(one) || others.includes(one))).join("");
  const name = `${PLACE}${places.length}`;
  const see = others
    .map(([number, { operator }]) => {
      // A big number divided by zero throws: where the original does not divide, that is a difference.
      const throws = operator === "/" || operator === "%" ? "r === 0n || " : "";
      return `if (${throws}!Object.is(v, l ${operator} r)) ${SAW}(${number});`;
    })
    .join(" ");
  places.push(
    `function ${name}(l, r) { const v = l ${operator} r; if (${COVERING}) { ${see} ${seeConditions(conditions)} } return v; }`,
  );
  return `(${choices}${name}((${left}), (${right})))`;
}

function choose([number, { text }]: readonly [number, Mutant], isSeen: boolean): string {
  return `${isSeen ? MAY : IS}(${number}) ? (${text}) : `;
}

function seeConditions(conditions: readonly (readonly [number, Mutant])[]): string {
  return conditions.map(([number, { text }]) => `if (${text === "true" ? "!v" : "v"}) ${SAW}(${number});`).join(" ");
}

function parse(file: string, source: string): ts.SourceFile {
  return ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
}
