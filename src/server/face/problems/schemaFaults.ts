import type { Validator } from "typebox/compile";

/** A difference between a value and its schema. */
export interface SchemaFault {
  /** Names and places from the value to the member at fault. */
  readonly path: readonly string[];
  readonly rule: string;
  /** Continues the member's name: "must be integer". */
  readonly message: string;
}

type Found = ReturnType<Validator["Errors"]>[number];
type Params = Readonly<Record<string, unknown>>;

/** Faults of a value, in the order in which the schema finds them. */
export function findSchemaFaults(validator: Validator, value: unknown): SchemaFault[] {
  const errors = [...validator.Errors(value)];
  const unions = new Set(errors.filter(({ keyword }) => keyword === "anyOf").map(({ instancePath }) => instancePath));
  return errors.flatMap((error): SchemaFault[] => {
    const { instancePath, keyword } = error;
    const params = error.params as Params;
    const path = instancePath.split("/").slice(1);
    switch (keyword) {
      case "required":
        return (params["requiredProperties"] as readonly string[]).map((name) => ({
          path: [...path, name],
          rule: "missingField",
          message: "is missing",
        }));
      case "additionalProperties":
        return (params["additionalProperties"] as readonly string[]).map((name) => ({
          path: [...path, name],
          rule: "unknownField",
          message: "is not known",
        }));
      // The member of an object that allows no others: `additionalProperties` reports it.
      case "boolean":
        return [];
      case "anyOf": {
        const alternatives = errors.filter((other) => other.instancePath === instancePath && other !== error);
        return [{ path, rule: keyword, message: describeUnion(alternatives) }];
      }
      default:
        if (unions.has(instancePath)) return [];
        return [{ path, rule: keyword, message: describe(error) }];
    }
  });
}

function describe({ message, params }: Found): string {
  const words = (params as Params)["allowedValues"];
  return Array.isArray(words) ? `must be one of ${words.slice(0, 40).join(", ")}` : message;
}

/** The alternatives of a union, in words. */
function describeUnion(alternatives: readonly Found[]): string {
  const words = alternatives.flatMap(({ params }) => {
    const { allowedValue, allowedValues } = params as Params;
    return Array.isArray(allowedValues) ? allowedValues : allowedValue === undefined ? [] : [allowedValue];
  });
  if (words.length > 0) return `must be one of ${words.join(", ")}`;
  const wants = new Set(alternatives.map((alternative) => describe(alternative).replace(/^must /, "")));
  return `must ${[...wants].join(", or ")}`;
}
