import type { Method, Route } from "../../../client/api/route.ts";

/** Route of a request. */
export type Match<Id extends string> =
  | { readonly kind: "found"; readonly operation: Id; readonly params: Readonly<Record<string, string>> }
  /** The path exists, for other methods. */
  | { readonly kind: "method"; readonly allow: readonly string[] }
  | { readonly kind: "unknown" }
  /** A part of the path is not percent-encoded text. */
  | { readonly kind: "malformed" };

interface Node<Id extends string> {
  readonly literals: Map<string, Node<Id>>;
  parameter: { readonly name: string; readonly node: Node<Id> } | undefined;
  readonly operations: Map<Method, Id>;
}

/** Finds the operation of a path. A literal part takes precedence over a parameter in its place. */
export class RouteTable<Id extends string> {
  readonly #root: Node<Id> = createNode();

  constructor(routes: Readonly<Record<Id, Route>>) {
    for (const id of Object.keys(routes) as Id[]) this.#add(id, routes[id]);
  }

  /** @param path without prefix and query: `/markets/BTC-PERP` */
  match(method: string, path: string): Match<Id> {
    const params: Record<string, string> = {};
    let node = this.#root;
    for (const part of path.split("/").slice(1)) {
      const literal = node.literals.get(part);
      if (literal !== undefined) {
        node = literal;
        continue;
      }
      if (node.parameter === undefined || part === "") return { kind: "unknown" };
      const value = decodePart(part);
      if (value === undefined) return { kind: "malformed" };
      params[node.parameter.name] = value;
      node = node.parameter.node;
    }
    if (node.operations.size === 0) return { kind: "unknown" };
    const operation = node.operations.get(method === "HEAD" ? "GET" : (method as Method));
    return operation === undefined ? { kind: "method", allow: allowOf(node) } : { kind: "found", operation, params };
  }

  #add(id: Id, { method, path }: Route): void {
    let node = this.#root;
    for (const part of path.split("/").slice(1)) {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) {
        const next = node.literals.get(part) ?? createNode<Id>();
        node.literals.set(part, next);
        node = next;
        continue;
      }
      node.parameter ??= { name, node: createNode() };
      if (node.parameter.name !== name)
        throw new Error(`${id}: {${name}} is {${node.parameter.name}} in another route`);
      node = node.parameter.node;
    }
    if (node.operations.has(method)) throw new Error(`${id}: ${method} ${path} is defined twice`);
    node.operations.set(method, id);
  }
}

function createNode<Id extends string>(): Node<Id> {
  return { literals: new Map(), parameter: undefined, operations: new Map() };
}

function allowOf<Id extends string>({ operations }: Node<Id>): string[] {
  const methods: string[] = [...operations.keys()];
  return operations.has("GET") ? [...methods, "HEAD", "OPTIONS"] : [...methods, "OPTIONS"];
}

function decodePart(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
