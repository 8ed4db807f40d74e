import ts from "typescript";

/** One forbidden use in a pure file. */
export interface Impurity {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly found: string;
  readonly reason: string;
}

/** Kinds of forbidden uses. */
export type Ban = "clock" | "chance" | "inexact" | "environment" | "locale" | "async" | "moduleState";

const REASONS: Readonly<Record<Ban, string>> = {
  clock: "the time is an input, in the block",
  chance: "chance comes from src/ground/math/random.ts, seeded",
  inexact: "the result may differ between machines; use exact integers (src/ground/math)",
  environment: "the machine is not an input",
  locale: "text must be the same in every locale",
  async: "code below the drivers is synchronous",
  moduleState: "a module-level variable is state outside the tables",
};

const everything: readonly Ban[] = ["clock", "chance", "inexact", "environment", "locale", "async", "moduleState"];

/** The bans of each folder of src. Folders that are not listed may use everything. */
export const bansOfFolder: Readonly<Record<string, readonly Ban[]>> = {
  "ground/math": everything,
  "ground/collections": everything,
  protocol: everything,
  "client/strategy": everything,
  "venue/engine": everything,
  "venue/formulas": everything,
  "venue/reads": everything,
  "proof/invariants": everything,
  "proof/model": everything,
  // Recovery backends load WebAssembly, start workers, and cache both.
  "client/signing": ["clock", "chance", "inexact", "locale"],
  // Statistics take roots and logarithms, at the edge.
  "product/report": ["clock", "chance", "environment", "async", "moduleState"],
  "product/strategies": ["clock", "chance", "environment", "async", "moduleState"],
  // Samples are remade byte for byte on every machine.
  "proof/generators": ["clock", "chance", "inexact", "locale"],
  "venue/simulation": ["clock", "chance", "inexact", "locale"],
};

/** Members of globals, by the ban that forbids them. `*` is every member. */
const members: Readonly<Record<string, Readonly<Record<string, Ban>>>> = {
  Date: { now: "clock" },
  performance: { "*": "clock" },
  Temporal: { "*": "clock" },
  process: { "*": "environment", hrtime: "clock" },
  Intl: { "*": "locale" },
  crypto: { "*": "chance" },
  Math: {
    random: "chance",
    acos: "inexact",
    acosh: "inexact",
    asin: "inexact",
    asinh: "inexact",
    atan: "inexact",
    atan2: "inexact",
    atanh: "inexact",
    cbrt: "inexact",
    cos: "inexact",
    cosh: "inexact",
    exp: "inexact",
    expm1: "inexact",
    hypot: "inexact",
    log: "inexact",
    log10: "inexact",
    log1p: "inexact",
    log2: "inexact",
    pow: "inexact",
    sin: "inexact",
    sinh: "inexact",
    sqrt: "inexact",
    tan: "inexact",
    tanh: "inexact",
  },
};

/** Globals that are forbidden however they are used. */
const names: Readonly<Record<string, Ban>> = {
  performance: "clock",
  Temporal: "clock",
  process: "environment",
  globalThis: "environment",
  console: "environment",
  fetch: "environment",
  require: "environment",
  WeakRef: "environment",
  FinalizationRegistry: "environment",
  Intl: "locale",
  crypto: "chance",
  Promise: "async",
  setTimeout: "async",
  setInterval: "async",
  setImmediate: "async",
  queueMicrotask: "async",
};

/** Methods that are forbidden on any object. */
const methods: ReadonlyMap<string, Ban> = new Map([
  ["localeCompare", "locale"],
  ["toLocaleString", "locale"],
  ["toLocaleDateString", "locale"],
  ["toLocaleTimeString", "locale"],
  ["toLocaleUpperCase", "locale"],
  ["toLocaleLowerCase", "locale"],
  ["getTimezoneOffset", "locale"],
  ["randomBytes", "chance"],
  ["randomUUID", "chance"],
  ["randomInt", "chance"],
]);

/**
 * Lists the uses in `text` that `bans` forbid. Works on the syntax tree: comments and strings do not count.
 *
 * @param file name for reports only
 */
export function findImpurities(file: string, text: string, bans: readonly Ban[]): Impurity[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: Impurity[] = [];

  const report = (node: ts.Node, ban: Ban, what: string) => {
    if (!bans.includes(ban)) return;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push({ file, line: line + 1, column: character + 1, found: what, reason: REASONS[ban] });
  };

  const visit = (node: ts.Node): void => {
    // Types are erased: naming one there runs nothing.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;

    if (ts.isPropertyAccessExpression(node)) {
      const owner = ts.isIdentifier(node.expression) ? node.expression.text : "";
      const member = node.name.text;
      const ofOwner = Object.hasOwn(members, owner) ? members[owner] : undefined;
      const ban = ofOwner?.[member] ?? ofOwner?.["*"] ?? methods.get(member);
      if (ban !== undefined) report(node, ban, `${owner}.${member}`);
      // A banned member is reported once, together with its owner if that is a plain name.
      if (ban === undefined || owner === "") visit(node.expression);
      return;
    }
    if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "Math") {
      report(node, "inexact", "Math[…]");
    }
    if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer !== undefined) {
      // const { random } = Math
      if (ts.isIdentifier(node.initializer) && Object.hasOwn(members, node.initializer.text)) {
        const owner = node.initializer.text;
        for (const element of node.name.elements) {
          const member = (element.propertyName ?? element.name).getText(source);
          const ban = members[owner]?.[member] ?? members[owner]?.["*"];
          if (ban !== undefined) report(element, ban, `${owner}.${member}`);
        }
      }
    }
    if (ts.isIdentifier(node) && Object.hasOwn(names, node.text) && isFreeUse(node)) {
      const ban = names[node.text];
      if (ban !== undefined) report(node, ban, node.text);
    }
    if (isDateOfNow(node)) report(node, "clock", "Date without arguments");
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "Date") {
      report(node, "locale", "new Date");
    }
    if (isInexactPower(node)) report(node, "inexact", "** on numbers");
    if (ts.isAwaitExpression(node)) report(node, "async", "await");
    if (ts.isForOfStatement(node) && node.awaitModifier !== undefined) report(node, "async", "for await");
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      report(node, "async", "import()");
    if (node.kind === ts.SyntaxKind.AsyncKeyword) report(node, "async", "async");
    if (ts.isImportDeclaration(node)) {
      reportRandomImports(node, report);
      return;
    }
    if (node.parent === source && ts.isVariableStatement(node)) {
      const flags = node.declarationList.flags & ts.NodeFlags.BlockScoped;
      if (flags === ts.NodeFlags.None || flags === ts.NodeFlags.Let) {
        const declared = ts.getCombinedModifierFlags(node.declarationList.declarations[0] as ts.VariableDeclaration);
        if ((declared & ts.ModifierFlags.Ambient) === 0) report(node, "moduleState", "let or var at module level");
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether the name is the global, and not a key, a member or a declaration of the file. */
function isFreeUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isEnumMember(parent)) return parent.name !== node;
  if (ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) return parent.name !== node;
  return true;
}

function isDateOfNow(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== "Date") return false;
  return ts.isCallExpression(node) || (node.arguments ?? []).length === 0;
}

/**
 * `**` is approximate on numbers and exact on bigints; without types, a bigint literal or BigInt() has to show.
 * A written-out power of two is exact everywhere.
 */
function isInexactPower(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  if (kind !== ts.SyntaxKind.AsteriskAsteriskToken && kind !== ts.SyntaxKind.AsteriskAsteriskEqualsToken) return false;
  const showsBigint = (operand: ts.Expression): boolean =>
    ts.isBigIntLiteral(operand) ||
    (ts.isParenthesizedExpression(operand) && showsBigint(operand.expression)) ||
    (ts.isCallExpression(operand) && ts.isIdentifier(operand.expression) && operand.expression.text === "BigInt");
  const isPowerOfTwo = ts.isNumericLiteral(node.left) && node.left.text === "2" && ts.isNumericLiteral(node.right);
  return !isPowerOfTwo && !showsBigint(node.left) && !showsBigint(node.right);
}

/** `import { randomBytes } from "node:crypto"`: the package is allowed for hashing only. */
function reportRandomImports(
  node: ts.ImportDeclaration,
  report: (node: ts.Node, ban: Ban, what: string) => void,
): void {
  if (node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return;
  const bindings = node.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return;
  for (const element of bindings.elements) {
    const name = (element.propertyName ?? element.name).text;
    const ban = methods.get(name);
    if (ban !== undefined) report(element, ban, name);
  }
}
