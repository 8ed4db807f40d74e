import type { TSchema } from "typebox";

/**
 * Named schemas of a document, gathered while it is made: a schema with a `$id` stands once among them, and everything
 * else refers to it.
 */
export function components(prefix = "#/components/schemas/"): {
  readonly schemas: Readonly<Record<string, unknown>>;
  /** The schema as the document writes it at a place. */
  readonly refer: (schema: TSchema) => unknown;
} {
  const schemas: Record<string, unknown> = {};
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== "object" || value === null) return value;
    const { $id, ...members } = value as Readonly<Record<string, unknown>>;
    const plain = () => Object.fromEntries(Object.entries(members).map(([name, member]) => [name, write(member)]));
    if (typeof $id !== "string") return plain();
    if (!Object.hasOwn(schemas, $id)) {
      schemas[$id] = {};
      schemas[$id] = plain();
    }
    return { $ref: `${prefix}${$id}` };
  };
  return { schemas, refer: write };
}
