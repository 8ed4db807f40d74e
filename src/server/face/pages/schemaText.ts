import type { JsonObject } from "../../../client/api/jsonSchema.ts";
import { escapeHtml } from "./markup.ts";

/** Most words that a line lists; it states how many more there are. */
const WORDS_MOST = 12;

/** Most members that a line lists. */
const MEMBERS_MOST = 5;

/** A schema in a few words of markup, with links to those that have names. */
export function describeType(schema: JsonObject, isWhole = false): string {
  const { $ref, anyOf, type, items, prefixItems, pattern, minimum, maximum, additionalProperties } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return `<a href="#schema-${name}">${escapeHtml(name)}</a>`;
  }
  if (Array.isArray(anyOf))
    return (anyOf as readonly JsonObject[]).map((part) => describeType(part, isWhole)).join(" | ");
  if (Object.hasOwn(schema, "const")) return code(JSON.stringify(schema["const"]));
  if (Array.isArray(schema["enum"])) return describeWords(schema["enum"] as readonly unknown[], isWhole);
  if (Array.isArray(prefixItems))
    return `[${(prefixItems as readonly JsonObject[]).map((part) => describeType(part)).join(", ")}]`;
  if (type === "array") return `list of ${describeType((items ?? {}) as JsonObject)}`;
  if (type === "object") {
    const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>);
    if (properties.length > 0 && properties.length <= MEMBERS_MOST) {
      return `{ ${properties.map(([name, member]) => `${code(name)}: ${describeType(member)}`).join(", ")} }`;
    }
    const every =
      typeof additionalProperties === "object" ? ` of ${describeType(additionalProperties as JsonObject)}` : "";
    return `object${every}`;
  }
  if (typeof schema["x-decimals"] === "number") return `decimal, at most ${schema["x-maximum"]}`;
  if (type === "string" && schema["format"] === "uint64") return "id";
  if (type === "string") return typeof pattern === "string" ? (FORMS[pattern] ?? "string") : "string";
  if (type === "integer" && minimum !== undefined && maximum !== undefined) return `integer, ${minimum} to ${maximum}`;
  return typeof type === "string" ? type : "any";
}

function describeWords(words: readonly unknown[], isWhole: boolean): string {
  const shown = isWhole ? words : words.slice(0, WORDS_MOST);
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : "";
  return shown.map((word) => code(String(word))).join(" ") + more;
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** Patterns with a common name. */
const FORMS: Readonly<Record<string, string>> = {
  "^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$": "decimal",
  "^(0|[1-9][0-9]{0,15})$": "id",
  "^0x[0-9a-f]{40}$": "address",
  "^0x[0-9a-fA-F]{40}$": "address",
  "^0x[0-9a-f]{64}$": "hash",
};
