import type { TSchema } from "typebox";

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/**
 * Schemas as documents hold them: every named schema once, under its name, and everywhere else a reference to it. The
 * form is that of JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3 take as it is.
 */
export class Components {
  readonly #schemas = new Map<string, Json>();
  /** Source of each, as text: one name for two schemas would give a client the wrong one. */
  readonly #sources = new Map<string, string>();
  readonly #prefix: string;

  /** @param prefix of references: `#/components/schemas/` */
  constructor(prefix = "#/components/schemas/") {
    this.#prefix = prefix;
  }

  /** The schema with references in place of what has a name of its own. */
  refer(schema: TSchema): Json {
    return this.#write(JSON.parse(JSON.stringify(schema)) as Json);
  }

  /** Everything that was referred to, by name. */
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
      this.#schemas.set($id, null); // its place, should it refer to itself
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
