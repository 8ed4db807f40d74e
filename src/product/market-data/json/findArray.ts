/** Finds out how the beginning of a JSON file is laid out: values on lines, or one document with an array of rows. */
import type { JsonSpec } from "../readers/layout.ts";
import { formatPath } from "./path.ts";

const decoder = new TextDecoder();

/** @param head first bytes, which may be cut anywhere */
export function findForm(head: Uint8Array): Pick<JsonSpec, "in" | "array"> {
  const text = decoder.decode(head).trimStart();
  const [first = "", second = ""] = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const isLine = isWhole(first);
  if (isLine && /^\s*[[{]/.test(second)) return { in: "lines" };
  if (text.startsWith("[")) return { in: "array" };
  const array = findArray(text);
  return array === undefined ? { in: "lines" } : { in: "array", array };
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]/gy;
const SPACE_OR_SCALAR = /[^"[\]{}:,]*/gy;

/** Path of the first array of objects or arrays that only objects are around; `undefined` if the text has none. */
function findArray(text: string): string | undefined {
  const keys: string[] = [];
  let last: string | undefined;
  let at = 0;
  for (;;) {
    SPACE_OR_SCALAR.lastIndex = at;
    at += SPACE_OR_SCALAR.exec(text)![0].length;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    at += token.length;
    if (token.startsWith('"')) last = token;
    else if (token === "{") keys.push("");
    else if (token === "}") keys.pop();
    else if (token === ":" && keys.length > 0) keys[keys.length - 1] = last ?? "";
    else if (token === "[") {
      if (/^\s*[[{]/.test(text.slice(at, at + 1000))) return formatPath(keys.map((key) => readKey(key)));
      at = passArray(text, at);
    }
  }
}

/** Place after an array of scalars. */
function passArray(text: string, from: number): number {
  const end = /^(?:"(?:[^"\\]|\\.)*"|[^"\]])*\]/.exec(text.slice(from));
  return end === null ? text.length : from + end[0].length;
}

function readKey(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}
