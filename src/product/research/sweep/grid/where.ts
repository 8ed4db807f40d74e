import { findNearest } from "../../../../ground/collections/nearest.ts";
import { SweepError } from "../errors.ts";

export type WhereValue = number | string | boolean;

/** A condition over named values. */
export type Condition = (values: ReadonlyMap<string, WhereValue>) => boolean;

type Node = (values: ReadonlyMap<string, WhereValue>) => WhereValue;

/** Levels of parentheses and signs. */
const DEPTH_MOST = 100;
const LENGTH_MOST = 1_000;

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|"([^"]*)"|'([^']*)'|([A-Za-z_][\w.]*(?:@[a-z][a-z0-9]*(?:-[a-z0-9]+)*)?)|(<=|>=|==|!=|&&|\|\||[-+*/%()<>=!]))/y;

interface Token {
  readonly at: number;
  readonly kind: "number" | "text" | "name" | "sign" | "end";
  readonly text: string;
}

/**
 * Reads a condition such as `fast < slow and leverage <= 3`: comparisons (`<`, `<=`, `>`, `>=`, `=`, `!=`) of sums and
 * products, `and`, `or`, `not`, parentheses, numbers, quoted words, `true` and `false`. A name may end with `@` and a
 * strategy, whose dashes are part of it: `fast@my-trend`. Nothing is evaluated as code.
 *
 * @param names names that a condition may use
 * @throws {SweepError} WHERE_INVALID, here and when a condition compares different kinds of values
 */
export function readWhere(text: string, names: readonly string[]): Condition {
  const condition = new Parser(text, names).read();
  return (values) => {
    const met = condition(values);
    if (typeof met === "boolean") return met;
    throw new SweepError("WHERE_INVALID", `${JSON.stringify(text)} is ${JSON.stringify(met)}, not true or false`, {
      place: "--where",
      hint: 'compare two values, for example "fast < slow"',
    });
  };
}

class Parser {
  readonly #text: string;
  readonly #names: readonly string[];
  #token: Token;
  #next = 0;
  #depth = 0;

  constructor(text: string, names: readonly string[]) {
    this.#text = text;
    this.#names = names;
    if (text.length > LENGTH_MOST) throw this.#fault(0, `the condition is longer than ${LENGTH_MOST} characters`);
    this.#token = this.#scan();
  }

  read(): Node {
    const node = this.#or();
    if (this.#token.kind !== "end") throw this.#unexpected();
    return node;
  }

  #or(): Node {
    let left = this.#and();
    while (this.#takes("or", "||")) {
      const [a, b] = [left, this.#and()];
      left = (values) => this.#truth("or", a(values)) || this.#truth("or", b(values));
    }
    return left;
  }

  #and(): Node {
    let left = this.#not();
    while (this.#takes("and", "&&")) {
      const [a, b] = [left, this.#not()];
      left = (values) => this.#truth("and", a(values)) && this.#truth("and", b(values));
    }
    return left;
  }

  #not(): Node {
    if (!this.#takes("not", "!")) return this.#comparison();
    const of = this.#deeper(() => this.#not());
    return (values) => !this.#truth("not", of(values));
  }

  #comparison(): Node {
    const left = this.#sum();
    const sign = this.#takes("<=", ">=", "==", "!=", "<", ">", "=");
    if (sign === undefined) return left;
    const right = this.#sum();
    if (this.#token.kind === "sign" && /^[<>=!]/.test(this.#token.text)) {
      throw this.#fault(this.#token.at, "two comparisons in a row", 'join them with "and"');
    }
    return (values) => this.#compare(sign, left(values), right(values));
  }

  #sum(): Node {
    let left = this.#product();
    for (let sign = this.#takes("+", "-"); sign !== undefined; sign = this.#takes("+", "-")) {
      const [a, b, of] = [left, this.#product(), sign];
      left = (values) => {
        const [x, y] = [this.#number(of, a(values)), this.#number(of, b(values))];
        return of === "+" ? x + y : x - y;
      };
    }
    return left;
  }

  #product(): Node {
    let left = this.#factor();
    for (let sign = this.#takes("*", "/", "%"); sign !== undefined; sign = this.#takes("*", "/", "%")) {
      const [a, b, of] = [left, this.#factor(), sign];
      left = (values) => {
        const [x, y] = [this.#number(of, a(values)), this.#number(of, b(values))];
        return of === "*" ? x * y : of === "/" ? x / y : x % y;
      };
    }
    return left;
  }

  #factor(): Node {
    if (this.#takes("-") !== undefined) {
      const of = this.#deeper(() => this.#factor());
      return (values) => -this.#number("-", of(values));
    }
    if (this.#takes("(") !== undefined) {
      const inner = this.#deeper(() => this.#or());
      if (this.#takes(")") === undefined) throw this.#unexpected('")"');
      return inner;
    }
    const { kind, text, at } = this.#token;
    if (kind === "end" || kind === "sign") throw this.#unexpected("a name or a value");
    this.#token = this.#scan();
    if (kind === "number") return () => Number(text);
    if (kind === "text") return () => text;
    if (text === "true" || text === "false") return () => text === "true";
    if (this.#names.includes(text)) return (values) => values.get(text)!;
    const nearest = findNearest(text, this.#names);
    const list = `names are ${this.#names.join(", ")}; a word is written in quotes`;
    throw this.#fault(
      at,
      `there is no ${JSON.stringify(text)}`,
      nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
    );
  }

  #deeper(read: () => Node): Node {
    if (++this.#depth > DEPTH_MOST) throw this.#fault(this.#token.at, "the condition is nested too deeply");
    const node = read();
    this.#depth--;
    return node;
  }

  #compare(sign: string, left: WhereValue, right: WhereValue): boolean {
    if (typeof left !== typeof right) {
      const words = [left, sign, right].map((one) => (one === sign ? sign : JSON.stringify(one)));
      throw this.#fault(undefined, `${words.join(" ")} compares a ${nameKind(left)} with a ${nameKind(right)}`);
    }
    if (sign === "=" || sign === "==") return left === right;
    if (sign === "!=") return left !== right;
    const [a, b] = [this.#number(sign, left), this.#number(sign, right)];
    return sign === "<" ? a < b : sign === "<=" ? a <= b : sign === ">" ? a > b : a >= b;
  }

  #number(sign: string, value: WhereValue): number {
    if (typeof value === "number") return value;
    throw this.#fault(undefined, `${JSON.stringify(sign)} needs numbers, and ${JSON.stringify(value)} is none`);
  }

  #truth(word: string, value: WhereValue): boolean {
    if (typeof value === "boolean") return value;
    throw this.#fault(undefined, `${JSON.stringify(word)} needs conditions, and ${JSON.stringify(value)} is a value`);
  }

  /** Takes one of these signs or words if it comes next. */
  #takes(...signs: readonly string[]): string | undefined {
    const { kind, text } = this.#token;
    if ((kind !== "sign" && kind !== "name") || !signs.includes(text)) return undefined;
    this.#token = this.#scan();
    return text;
  }

  #scan(): Token {
    const rest = this.#text.slice(this.#next);
    if (rest.trim() === "") return { at: this.#text.length, kind: "end", text: "" };
    TOKEN.lastIndex = this.#next;
    const found = TOKEN.exec(this.#text);
    const at = this.#next + rest.search(/\S/);
    if (found === null) throw this.#fault(at, `${JSON.stringify(this.#text[at])} is not part of a condition`);
    this.#next = TOKEN.lastIndex;
    const [, number, double, single, name, sign = ""] = found;
    if (number !== undefined) return { at, kind: "number", text: number };
    const quoted = double ?? single;
    if (quoted !== undefined) return { at, kind: "text", text: quoted };
    return name === undefined ? { at, kind: "sign", text: sign } : { at, kind: "name", text: name };
  }

  #unexpected(wanted?: string): SweepError {
    const { kind, text, at } = this.#token;
    const found = kind === "end" ? "the condition ends here" : `${JSON.stringify(text)} is not expected here`;
    return this.#fault(at, wanted === undefined ? found : `${found}, but ${wanted} is`);
  }

  #fault(at: number | undefined, reason: string, hint = 'write it like "fast < slow and leverage <= 3"'): SweepError {
    const place = at === undefined ? "" : `, character ${at + 1}`;
    return new SweepError("WHERE_INVALID", `${JSON.stringify(this.#text)}${place}: ${reason}`, {
      place: "--where",
      hint,
    });
  }
}

function nameKind(value: WhereValue): string {
  return typeof value === "string" ? "word" : typeof value === "boolean" ? "true or false" : "number";
}
