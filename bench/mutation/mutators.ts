/**
 * The standard mutators: small changes of an expression or a statement, as Stryker and other tools make them. Written
 * with the project's own compiler (decision 0013 gives the reason).
 */
import ts from "typescript";

/** One way to change a node: the replacement text. */
export interface Change {
  readonly mutator: string;
  readonly text: string;
  /** The other operator, if only the operator of an operation changes. */
  readonly operator?: string;
}

type Mutator = (node: ts.Node, text: (node: ts.Node) => string) => readonly string[];

const K = ts.SyntaxKind;

/** Operators and their replacements. */
const OPERATORS: Readonly<Record<string, Readonly<Partial<Record<ts.SyntaxKind, readonly string[]>>>>> = {
  arithmetic: {
    [K.PlusToken]: ["-"],
    [K.MinusToken]: ["+"],
    [K.AsteriskToken]: ["/"],
    [K.SlashToken]: ["*"],
    [K.PercentToken]: ["*"],
  },
  bitwise: {
    [K.AmpersandToken]: ["|"],
    [K.BarToken]: ["&"],
    [K.CaretToken]: ["&"],
    [K.LessThanLessThanToken]: [">>"],
    [K.GreaterThanGreaterThanToken]: ["<<"],
    [K.GreaterThanGreaterThanGreaterThanToken]: ["<<"],
  },
  equality: {
    [K.LessThanToken]: ["<=", ">="],
    [K.LessThanEqualsToken]: ["<", ">"],
    [K.GreaterThanToken]: [">=", "<="],
    [K.GreaterThanEqualsToken]: [">", "<"],
    [K.EqualsEqualsEqualsToken]: ["!=="],
    [K.ExclamationEqualsEqualsToken]: ["==="],
  },
  logical: {
    [K.AmpersandAmpersandToken]: ["||"],
    [K.BarBarToken]: ["&&"],
    [K.QuestionQuestionToken]: ["&&"],
  },
  assignment: {
    [K.PlusEqualsToken]: ["-="],
    [K.MinusEqualsToken]: ["+="],
    [K.AsteriskEqualsToken]: ["/="],
    [K.SlashEqualsToken]: ["*="],
    [K.AmpersandEqualsToken]: ["|="],
    [K.BarEqualsToken]: ["&="],
    [K.BarBarEqualsToken]: ["&&="],
    [K.QuestionQuestionEqualsToken]: ["&&="],
  },
};

/** Methods and their replacements; an empty name omits the call. */
const METHODS: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  trunc: "ceil",
  some: "every",
  every: "some",
  sort: "",
  filter: "",
  slice: "",
  reverse: "",
  findLast: "find",
};

function operatorMutator(name: string): Mutator {
  return (node, text) => {
    if (!ts.isBinaryExpression(node)) return [];
    const { left, right, operatorToken } = node;
    const others = OPERATORS[name]![operatorToken.kind] ?? [];
    // Text is concatenated with +, never subtracted.
    if (name === "arithmetic" && (isText(left) || isText(right))) return [];
    const part = (side: ts.Expression) => (ts.isBinaryExpression(side) ? `(${text(side)})` : text(side));
    return others.map((operator) => `${part(left)} ${operator} ${part(right)}`);
  };
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The mutators by name. Each returns complete new texts of the node. */
export const MUTATORS: Readonly<Record<string, Mutator>> = {
  arithmetic: operatorMutator("arithmetic"),
  bitwise: operatorMutator("bitwise"),
  equality: operatorMutator("equality"),
  logical: operatorMutator("logical"),
  assignment: operatorMutator("assignment"),

  /** Conditions that are always or never true. */
  condition(node) {
    const { parent } = node;
    if (ts.isIfStatement(parent) && parent.expression === node) return ["true", "false"];
    if (ts.isConditionalExpression(parent) && parent.condition === node) return ["true", "false"];
    const loops = ts.isWhileStatement(parent) && parent.expression === node;
    if (loops || (ts.isForStatement(parent) && parent.condition === node)) return ["false"];
    const joins =
      ts.isBinaryExpression(parent) &&
      (parent.operatorToken.kind === K.AmpersandAmpersandToken || parent.operatorToken.kind === K.BarBarToken);
    if (!joins || !ts.isBinaryExpression(node)) return [];
    return node.operatorToken.kind in OPERATORS["equality"]! ? ["true", "false"] : [];
  },

  boolean(node, text) {
    if (node.kind === K.TrueKeyword) return ["false"];
    if (node.kind === K.FalseKeyword) return ["true"];
    if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) return [text(node.operand)];
    return [];
  },

  unary(node, text) {
    if (!ts.isPrefixUnaryExpression(node)) return [];
    if (node.operator === K.MinusToken && !ts.isNumericLiteral(node.operand)) return [`+${text(node.operand)}`];
    return node.operator === K.TildeToken ? [text(node.operand)] : [];
  },

  update(node, text) {
    if (ts.isPostfixUnaryExpression(node)) {
      return [`${text(node.operand)}${node.operator === K.PlusPlusToken ? "--" : "++"}`];
    }
    if (!ts.isPrefixUnaryExpression(node)) return [];
    if (node.operator === K.PlusPlusToken) return [`--${text(node.operand)}`];
    return node.operator === K.MinusMinusToken ? [`++${text(node.operand)}`] : [];
  },

  method(node, text) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const { expression, name } = node.expression;
    const other = Object.hasOwn(METHODS, name.text) ? METHODS[name.text] : undefined;
    if (other === undefined) return [];
    if (other === "") return [text(expression)];
    return [`${text(expression)}.${other}(${node.arguments.map(text).join(", ")})`];
  },

  array(node) {
    return ts.isArrayLiteralExpression(node) && node.elements.length > 0 ? ["[]"] : [];
  },

  object(node) {
    return ts.isObjectLiteralExpression(node) && node.properties.length > 0 ? ["{}"] : [];
  },

  string(node) {
    if (!ts.isStringLiteralLike(node)) return [];
    return node.text === "" ? ['"mutated"'] : ['""'];
  },

  optional(node, text) {
    if (!ts.isPropertyAccessExpression(node) || node.questionDotToken === undefined) return [];
    return [`${text(node.expression)}.${text(node.name)}`];
  },

  arrow(node) {
    return ts.isArrowFunction(node) && !ts.isBlock(node.body) ? ["() => undefined"] : [];
  },

  /** Statements to omit. Blocks that only return are conditions, which are changed already. */
  block(node) {
    return ts.isBlock(node) && node.statements.length > 0 ? ["{}"] : [];
  },

  /** A call for its side effect, to omit. */
  call(node) {
    return ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) ? [";"] : [];
  },
};

/** Every change of a node. */
export function listChanges(node: ts.Node, text: (node: ts.Node) => string): Change[] {
  if (!isReplaceable(node)) return [];
  return Object.entries(MUTATORS).flatMap(([mutator, mutate]) =>
    mutate(node, text).map((changed, place) => {
      const operator = ts.isBinaryExpression(node) ? OPERATORS[mutator]?.[node.operatorToken.kind]?.[place] : undefined;
      return { mutator, text: changed, ...(operator === undefined || !isEager(mutator) ? {} : { operator }) };
    }),
  );
}

/** Whether operators of a mutator use both sides unchanged. */
function isEager(mutator: string): boolean {
  return mutator === "arithmetic" || mutator === "bitwise" || mutator === "equality";
}

/** Whether a node can be replaced: it is evaluated at its place, inside of a function. */
function isReplaceable(node: ts.Node): boolean {
  if (ts.isStatement(node)) return isInFunction(node);
  const { parent } = node;
  if (!isExpression(node) || !isInFunction(node)) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind)) return false;
  if (ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent) || ts.isTypeOfExpression(parent))
    return false;
  if (
    ts.isPrefixUnaryExpression(parent) &&
    parent.operator !== K.ExclamationToken &&
    parent.operator !== K.MinusToken
  ) {
    return false;
  }
  if (ts.isForOfStatement(parent) && parent.initializer === node) return false;
  // `a?.b.c` is one chain: its parts cannot be replaced alone.
  if (ts.isOptionalChain(node) && ts.isOptionalChain(parent)) return false;
  return true;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= K.FirstAssignment && kind <= K.LastAssignment;
}

function isExpression(node: ts.Node): boolean {
  if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) return !ts.isLiteralTypeNode(node.parent);
  if (ts.isStringLiteralLike(node)) return !isName(node);
  return (
    ts.isBinaryExpression(node) ||
    ts.isPrefixUnaryExpression(node) ||
    ts.isPostfixUnaryExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isIdentifier(node) ||
    ts.isParenthesizedExpression(node)
  );
}

/** Text that names something for the compiler: a module, a literal type, a key. */
function isName({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isPropertySignature(parent)
  );
}

/** Code that runs when its module is loaded runs once for all mutants and is not changed. */
function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at) && "body" in at && at.body !== undefined) return true;
    if (ts.isTypeNode(at)) return false;
  }
  return false;
}
