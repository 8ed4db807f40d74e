import type { MapShape, Shape } from "./shape.ts";
import { CANONICAL_DECIMAL } from "./shape.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A value that `cases` and `params` set in. */
const HOLE: Schema = { type: "string", pattern: "\\$\\{\\w+\\}" };

/**
 * JSON Schema draft-07 of a shape, for editors. Shapes used in several places become definitions.
 *
 * @param first title and address of the schema
 */
export function jsonSchemaOf(shape: Shape, first: Schema): Schema {
  const seen = new Map<Shape, number>();
  countShapes(shape, seen);
  const names = new Map<Shape, string>();
  const definitions: Record<string, Schema> = {};

  const refer = (part: Shape, name: string): Schema => {
    if ((seen.get(part) ?? 0) < 2) return convert(part, name);
    let known = names.get(part);
    if (known === undefined) {
      const wanted = part.kind === "map" ? name : part.kind;
      known = Object.hasOwn(definitions, wanted) ? `${wanted}${names.size}` : wanted;
      names.set(part, known);
      definitions[known] = {};
      definitions[known] = convert(part, name);
    }
    return { $ref: `#/definitions/${known}` };
  };

  const convert = (part: Shape, name: string): Schema => {
    switch (part.kind) {
      case "text":
        return part.pattern === undefined
          ? { type: "string" }
          : { anyOf: [{ type: "string", pattern: part.pattern.source }, HOLE] };
      case "decimal":
        return {
          anyOf: [
            { type: "string", pattern: CANONICAL_DECIMAL.source },
            ...(part.orAll === true ? [{ enum: ["all"] }] : []),
            HOLE,
          ],
        };
      case "count":
        return { anyOf: [{ type: "integer", minimum: 0 }, HOLE] };
      case "flag":
        return { anyOf: [{ type: "boolean" }, HOLE] };
      case "word":
        return { anyOf: [{ enum: part.words }, HOLE] };
      case "list":
        return { type: "array", items: refer(part.items, name) };
      case "either":
        return { anyOf: part.of.map((option) => refer(option, name)) };
      case "map": {
        const entries = Object.entries(part.keys);
        const required = entries.filter(([, { required: isRequired }]) => isRequired).map(([key]) => key);
        return {
          type: "object",
          properties: Object.fromEntries(
            entries.map(([key, value]) => [key, { description: value.doc, ...wrap(refer(value.shape, key)) }]),
          ),
          ...(part.rest === undefined
            ? {}
            : {
                patternProperties: {
                  [patternOfOthers(part)]: { description: part.rest.doc, ...wrap(refer(part.rest.shape, name)) },
                },
              }),
          additionalProperties: false,
          ...(required.length === 0 ? {} : { required }),
        };
      }
    }
  };

  const body = convert(shape, "scenario");
  return { $schema: "http://json-schema.org/draft-07/schema#", ...first, ...body, definitions };
}

/** The pattern of further keys; the known ones, which may match it too, have their own shape. */
function patternOfOthers({ keys, rest }: MapShape): string {
  const source = rest!.pattern.source;
  const known = Object.keys(keys).join("|");
  return known === "" ? source : `^(?!(?:${known})$)${source.replace(/^\^/, "")}`;
}

/** Draft-07 ignores other keys next to a reference. */
function wrap(schema: Schema): Schema {
  return "$ref" in schema ? { allOf: [schema] } : schema;
}

/** How often each shape is referred to. */
function countShapes(shape: Shape, seen: Map<Shape, number>): void {
  const count = (seen.get(shape) ?? 0) + 1;
  seen.set(shape, count);
  if (count > 1) return;
  if (shape.kind === "list") countShapes(shape.items, seen);
  else if (shape.kind === "either") for (const option of shape.of) countShapes(option, seen);
  else if (shape.kind === "map") {
    for (const { shape: value } of Object.values(shape.keys)) countShapes(value, seen);
    if (shape.rest !== undefined) countShapes(shape.rest.shape, seen);
  }
}
