import type { TSchema } from "typebox";

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/**
 * Schemas as documents hold them: every named schema once, under its name, and references to it everywhere else. The
 * format is JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3 include unchanged.
 */
export class Components {
  readonly #schemas = new Map<string, Json>();
  /** Source text of each named schema, to refuse two schemas with one name. */
  readonly #sources = new Map<string, string>();
  readonly #prefix: string;

  /** @param prefix of references: `#/components/schemas/` */
  constructor(prefix = "#/components/schemas/") {
    this.#prefix = prefix;
  }

  /** The schema, with a reference for every schema that has a name. */
  refer(schema: TSchema): Json {
    return this.#write(JSON.parse(JSON.stringify(schema)) as Json);
  }

  /** All schemas that were referred to, by name. */
  list(): JsonObject {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #write(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#write(item));
    if (value === null || typeof value !== "object") return value;
    const { $id, ...rest } = value as JsonObject;
    if (typeof $id !== "string") return this.#writeMembers(value as JsonObject);
    const source = JSON.stringify(rest);
    const known = this.#sources.get($id);
    if (known !== undefined && known !== source) throw new Error(`two schemas have the name ${$id}`);
    if (known === undefined) {
      this.#sources.set($id, source);
      this.#schemas.set($id, null); // reserved first, for a schema that refers to itself
      this.#schemas.set($id, this.#writeMembers(rest));
    }
    return { $ref: this.#prefix + $id };
  }

  #writeMembers(schema: JsonObject): Json {
    const { items, additionalItems: _none, patternProperties, ...rest } = schema;
    const written = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, this.#write(value)]));
    if (Array.isArray(items)) {
      written["prefixItems"] = items.map((item: Json) => this.#write(item));
      written["items"] = false;
      written["maxItems"] = items.length;
    } else if (items !== undefined) {
      written["items"] = this.#write(items);
    }
    const every = (patternProperties as JsonObject | undefined)?.["^.*$"];
    if (every !== undefined) written["additionalProperties"] = this.#write(every);
    else if (patternProperties !== undefined) written["patternProperties"] = this.#write(patternProperties);
    return written;
  }
}
