import { isMap, isScalar, isSeq, Lexer, type Node, type Pair, parseDocument } from "yaml";

/** Order of keys at the top of a file, in a block and in a transaction. Other keys follow in their own order. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  top: [
    "scenario",
    "rules",
    "tags",
    "kind",
    "story",
    "source",
    "defect",
    "include",
    "params",
    "cases",
    "variants",
    "start",
    "genesis",
    "markets",
    "prices",
    "accounts",
    "blocks",
    "expect",
    "explore",
    "alphabet",
    "golden",
    "invariants",
  ],
  block: [
    "name",
    "note",
    "time",
    "after",
    "restart",
    "repeat",
    "prices",
    "markets",
    "transactions",
    "expect",
    "variants",
  ],
};

/** Columns that a line may have. */
const WIDTH = 120;

/**
 * The standard form of a file: keys in their order, two columns deep. Short maps and lists stay on one line. There is
 * one empty line between blocks, and comments keep their place.
 *
 * @returns the same text for a text in that form
 */
export function formatScenario(text: string): string {
  const document = parseDocument(text, { version: "1.2", strict: true, uniqueKeys: true });
  if (document.errors.length > 0) return text;
  const { contents } = document;
  if (isMap(contents)) {
    sortPairs(contents.items as Pair<Node>[], ORDERS["top"]!);
    for (const name of ["blocks", "alphabet"]) {
      const blocks = contents.get(name);
      if (!isSeq(blocks)) continue;
      for (const [at, block] of blocks.items.entries()) {
        if (!isMap(block)) continue;
        sortPairs(block.items as Pair<Node>[], ORDERS["block"]!);
        block.spaceBefore = at > 0;
      }
    }
  }
  const out = document.toString({ lineWidth: WIDTH, flowCollectionPadding: true, indentSeq: true, minContentWidth: 0 });
  return tightenLists(out);
}

/** One-line lists keep no inner space, `[a, b]`, while maps do: `{ a: b }`. */
function tightenLists(text: string): string {
  const tokens = [...new Lexer().lex(text)];
  const isSpace = (token: string | undefined) => token !== undefined && /^ +$/.test(token);
  return tokens
    .filter((token, at) => !isSpace(token) || !isPadding(tokens[at - 1], tokens[at + 1]))
    .filter((token) => !CONTROL.includes(token))
    .join("");
}

/** Whether a space between two tokens is inner space of a list; the indent of a bracket on a line of its own is not. */
const isPadding = (before: string | undefined, after: string | undefined) =>
  before === "[" || (after === "]" && before !== "\n");

/** Tokens of the lexer between values: document, scalar, end of a flow that was cut short. */
const CONTROL: readonly string[] = ["\u0002", "\u001f", "\u0018", "\ufeff"];

function sortPairs(pairs: Pair<Node>[], order: readonly string[]): void {
  const rank = ({ key }: Pair<Node>): number => {
    const place = order.indexOf(isScalar(key) ? String(key.value) : "");
    return place < 0 ? order.length : place;
  };
  const [first] = pairs;
  const leading = first?.key.commentBefore;
  const sorted = pairs.map((pair, at) => ({ pair, at })).sort((a, b) => rank(a.pair) - rank(b.pair) || a.at - b.at);
  // The comment above the first key is about the whole file.
  const top = sorted[0]?.pair;
  if (first !== undefined && top !== undefined && top !== first && leading !== undefined) {
    first.key.commentBefore = null;
    top.key.commentBefore = [leading, top.key.commentBefore].filter((text) => text != null).join("\n");
  }
  pairs.splice(0, pairs.length, ...sorted.map(({ pair }) => pair));
}
