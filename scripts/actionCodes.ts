/** The possible rejections of each action, from the functions that its handler reaches in `src/venue/engine`. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { ACTION_NAMES, type ActionName, actions } from "../src/protocol/actions/index.ts";
import type { FieldRule } from "../src/protocol/fieldRules.ts";
import type { Field, Fields } from "../src/protocol/fields.ts";
import { REJECTION_NUMBERS } from "../src/protocol/rejectionNumbers.ts";
import { REJECTION_NAMES, type RejectionCode } from "../src/protocol/rejections.ts";

const root = join(import.meta.dirname, "..");
const engine = join(root, "src", "venue", "engine");

/** A top-level name of a file: the codes that it writes, and the names that it mentions. */
interface Declaration {
  readonly codes: ReadonlySet<string>;
  readonly mentions: readonly (readonly [file: string, name: string])[];
}

const files = new Map<string, ReadonlyMap<string, Declaration>>();

/** Codes by action, in the order of the table of codes. Codes of a carried action are not included. */
export function listActionCodes(): Readonly<Record<ActionName, readonly RejectionCode[]>> {
  const rows = ACTION_NAMES.map((action) => {
    const handler = `handle${action.charAt(0).toUpperCase()}${action.slice(1)}`;
    const found = new Set<string>(codesOfRules(actions[action] as RecordPart));
    reach(join(engine, "actions", `${action}.ts`), handler, found, new Set());
    return [action, REJECTION_NAMES.filter((code) => found.has(code) && isOfReceipt(code))];
  });
  return Object.fromEntries(rows);
}

/** Codes of any transaction that an agent signs, whatever its action. */
export function listGrantCodes(): readonly RejectionCode[] {
  const found = new Set<string>();
  reach(join(engine, "authorization", "checkReach.ts"), "checkReach", found, new Set());
  return REJECTION_NAMES.filter((code) => found.has(code) && isOfReceipt(code));
}

/** Some codes give the reason of a failed intent and are never in a receipt: they have no numbers. */
const isOfReceipt = (code: RejectionCode): boolean => REJECTION_NUMBERS[code].length > 0;

interface RecordPart {
  readonly rules?: readonly FieldRule[];
  readonly fields?: Fields;
  readonly members?: Fields;
}

function codesOfRules({ rules = [], fields, members }: RecordPart): string[] {
  const parts = Object.values((fields ?? members ?? {}) as Readonly<Record<string, Field>>).flatMap((field) =>
    field.kind === "list" && field.item.kind === "record" ? codesOfRules(field.item as RecordPart) : [],
  );
  return [...rules.map(({ code }) => code), ...parts];
}

function reach(file: string, name: string, found: Set<string>, seen: Set<string>): void {
  const id = `${file} ${name}`;
  if (seen.has(id)) return;
  seen.add(id);
  const declaration = readFile(file).get(name);
  if (declaration === undefined) return;
  for (const code of declaration.codes) found.add(code);
  for (const [otherFile, other] of declaration.mentions) reach(otherFile, other, found, seen);
}

function readFile(file: string): ReadonlyMap<string, Declaration> {
  const known = files.get(file);
  if (known !== undefined) return known;
  const declarations = new Map<string, Declaration>();
  files.set(file, declarations);
  if (!existsSync(file)) return declarations;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const imported = new Map<string, readonly [string, string]>();
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) readImports(statement, file, imported);
  }
  const own = source.statements.flatMap((statement): [string, ts.Node][] => {
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return statement.name === undefined ? [] : [[statement.name.text, statement]];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map((one): [string, ts.Node] => [one.name.getText(), one]);
  });
  const names = new Set(own.map(([name]) => name));
  for (const [name, node] of own) {
    const codes = new Set<string>();
    const mentions: [string, string][] = [];
    visit(node, (part) => {
      if (ts.isStringLiteral(part) && isAnswer(part)) codes.add(part.text);
      if (!ts.isIdentifier(part) || part.text === name) return;
      if (names.has(part.text)) mentions.push([file, part.text]);
      const other = imported.get(part.text);
      if (other !== undefined) mentions.push([...other]);
    });
    declarations.set(name, { codes, mentions });
  }
  return declarations;
}

/** A code that a check returns: not one that a result is compared with, nor one that is searched in rules. */
function isAnswer({ parent }: ts.StringLiteral): boolean {
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  if (ts.isLiteralTypeNode(parent)) return false;
  return !ts.isCallExpression(parent) || !/\.(find|has|includes)$/.test(parent.expression.getText());
}

function readImports(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  file: string,
  imported: Map<string, readonly [string, string]>,
): void {
  const from = (moduleSpecifier as ts.StringLiteral).text;
  const bindings = importClause?.namedBindings;
  if (!from.startsWith(".") || bindings === undefined || !ts.isNamedImports(bindings)) return;
  const target = join(dirname(file), from);
  if (!target.startsWith(engine)) return;
  for (const { name, propertyName, isTypeOnly } of bindings.elements) {
    if (!isTypeOnly) imported.set(name.text, [target, (propertyName ?? name).text]);
  }
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}
