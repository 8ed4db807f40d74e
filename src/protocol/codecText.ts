/**
 * A strict reader of JSON text. What `JSON.parse` lets through and two readers could take differently is refused: an
 * object that names a key twice, and a number that is not a plain whole number of at most 2^53 - 1 (the wire has no
 * other). Objects have no prototype, so a key named `__proto__` is a key like any other.
 */
import { refuse, showKey } from "./codecJson.ts";

/** Longest text of one transaction, in characters. */
export const TRANSACTION_TEXT_MOST = 65_536;

/** Deepest nesting; the wire's own is four. */
const DEPTH_MOST = 16;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * @param text JSON
 * @param most longest text accepted, in characters
 * @throws {ValidationError} with the place in the text
 */
export function parseStrictJson(text: string, most: number = TRANSACTION_TEXT_MOST): unknown {
  if (text.length > most) refuse("tooLarge", "", `${text.length} characters of JSON`, `send at most ${most}`);
  const reader = new TextReader(text);
  const value = reader.value();
  reader.space();
  if (reader.at < text.length) reader.syntax("text after the end");
  return value;
}

class TextReader {
  readonly text: string;
  at = 0;
  /** Keys and places on the way to where the reader is; a path is written from them only when it is wanted. */
  private readonly way: (string | number)[] = [];

  constructor(text: string) {
    this.text = text;
  }

  syntax(reason: string): never {
    return refuse("syntax", "", `${reason} at character ${this.at + 1}`, "send one JSON object");
  }

  private path(): string {
    return this.way
      .map((step, depth) => (typeof step === "number" ? `[${step}]` : `${depth === 0 ? "" : "."}${showKey(step)}`))
      .join("");
  }

  space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at++;
    }
  }

  private take(mark: string): boolean {
    this.space();
    if (this.text[this.at] !== mark) return false;
    this.at++;
    return true;
  }

  value(): unknown {
    if (this.way.length > DEPTH_MOST) this.syntax("nesting too deep");
    this.space();
    switch (this.text[this.at]) {
      case "{":
        return this.object();
      case "[":
        return this.list();
      case '"':
        return this.string();
      case "t":
        return this.literal("true", true);
      case "f":
        return this.literal("false", false);
      case "n":
        return this.literal("null", null);
      default:
        return this.number();
    }
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null);
    this.at++;
    if (this.take("}")) return object;
    do {
      this.space();
      if (this.text.charCodeAt(this.at) !== QUOTE) this.syntax("a key in quotes is missing");
      const key = this.string();
      this.way.push(key);
      if (key in object) refuse("duplicateKey", this.path(), "the key appears twice", "write every key once");
      if (!this.take(":")) this.syntax('":" is missing');
      object[key] = this.value();
      this.way.pop();
    } while (this.take(","));
    if (!this.take("}")) this.syntax('"," or "}" is missing');
    return object;
  }

  private list(): unknown[] {
    const list: unknown[] = [];
    this.at++;
    if (this.take("]")) return list;
    do {
      this.way.push(list.length);
      list.push(this.value());
      this.way.pop();
    } while (this.take(","));
    if (!this.take("]")) this.syntax('"," or "]" is missing');
    return list;
  }

  private string(): string {
    const { text } = this;
    const start = this.at;
    let escaped = false;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return escaped ? this.unescape(start) : text.slice(start + 1, at);
      }
      if (code === BACKSLASH) {
        escaped = true;
        at++;
      } else if (code < 32) {
        this.at = at;
        this.syntax("a control character in a text");
      }
    }
    return this.syntax("a text without an end");
  }

  private unescape(start: number): string {
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      this.at = start;
      return this.syntax("a text with a wrong escape");
    }
  }

  private literal<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.at)) this.syntax("no JSON value");
    this.at += word.length;
    return value;
  }

  private number(): number {
    const [digits] = /^-?[0-9][0-9.eE+-]*/.exec(this.text.slice(this.at, this.at + 64)) ?? this.syntax("no JSON value");
    const value = Number(digits);
    if (!/^(?:0|-?[1-9][0-9]*)$/.test(digits) || !Number.isSafeInteger(value)) {
      const reason = `${digits} is not a plain whole number`;
      refuse("malformed", this.path(), reason, "write digits without point, exponent or leading zeros; quote decimals");
    }
    this.at += digits.length;
    return value;
  }
}
