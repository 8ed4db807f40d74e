import fc from "fast-check";
import type { TSchema } from "typebox";

/** What is read of a schema. */
interface Readable {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** Values that a schema allows, edges among them. Longest texts and greatest numbers come up now and then. */
export function valuesOf(schema: TSchema): fc.Arbitrary<unknown> {
  const read = schema as unknown as Readable;
  if ("const" in read) return fc.constant(read.const);
  if (read.enum !== undefined) return fc.constantFrom(...read.enum);
  if (read.anyOf !== undefined) return fc.oneof(...read.anyOf.map(valuesOf));
  switch (read.type) {
    case "string":
      return textsOf(read);
    case "integer": {
      const { minimum: min = 0, maximum: max = Number.MAX_SAFE_INTEGER } = read;
      const near = Math.min(max, min + 1_000);
      return fc.oneof(fc.integer({ min, max: near }), fc.constantFrom(min, max), fc.integer({ min, max }));
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valuesOf(read.items!), { maxLength: Math.min(read.maxItems ?? 4, 4) });
    case "object":
      return objectsOf(read);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textsOf({
  pattern,
  minLength = 0,
  maxLength = pattern === undefined ? 64 : 256,
}: Readable): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ unit: "binary-ascii", minLength, maxLength });
  // Letters of an address in both cases carry a checksum, which no pattern can say.
  const regex = new RegExp(pattern.replaceAll("0-9a-fA-F", "0-9a-f"));
  return fc.stringMatching(regex, { size: "small" }).filter(({ length }) => length >= minLength && length <= maxLength);
}

function objectsOf({ properties, required = [] }: Readable): fc.Arbitrary<Record<string, unknown>> {
  if (properties === undefined) return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }));
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valuesOf(member)]));
  return fc.record(members, { requiredKeys: required as string[], noNullPrototype: true });
}
