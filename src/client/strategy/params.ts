import type { Static, TObject, TSchema } from "typebox";
import { Value } from "typebox/value";
import { findNearest } from "../../ground/collections/nearest.ts";
import { StrategyError } from "./errors.ts";

/** Value of a strategy's parameter. */
export type ParamValue = string | number | boolean;

/** A parameter as it is shown to a user. */
export interface ParamDescription {
  readonly name: string;
  readonly type: string;
  readonly initial: ParamValue;
  readonly description: string;
  /** Further limits of the schema, in words; empty where it allows any value of the type. */
  readonly allowed: string;
}

interface PropertySchema {
  readonly type?: string;
  readonly default?: ParamValue;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly enum?: readonly ParamValue[];
  readonly const?: ParamValue;
  readonly anyOf?: readonly PropertySchema[];
}

/** The parameters of a schema in the order in which it lists them. */
export function describeParams(schema: TObject): ParamDescription[] {
  return Object.entries(schema.properties as Readonly<Record<string, PropertySchema>>).map(([name, property]) => ({
    name,
    type: typeOf(property),
    initial: property.default!,
    description: property.description ?? "",
    allowed: allowedOf(property),
  }));
}

/**
 * Reads parameters given as `name=value` texts over the defaults of the schema.
 *
 * @throws {StrategyError} PARAM_UNKNOWN (with the nearest name), PARAM_REPEATED, PARAM_INVALID
 */
export function parseParams<Params extends TObject>(schema: Params, texts: readonly string[]): Static<Params> {
  const properties = schema.properties as Readonly<Record<string, PropertySchema>>;
  const given: Record<string, ParamValue> = {};
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at < 1) {
      throw new StrategyError("PARAM_INVALID", `${JSON.stringify(text)} is not name=value`, {
        hint: "for example --param size=0.5",
      });
    }
    const name = text.slice(0, at);
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) throw unknownParam(name, Object.keys(properties));
    if (Object.hasOwn(given, name)) {
      throw new StrategyError("PARAM_REPEATED", `parameter ${name} is given twice`, {
        place: name,
        hint: "leave one of them out",
      });
    }
    given[name] = readText(name, property, text.slice(at + 1));
  }
  return resolveParams(schema, given);
}

/**
 * Checks parameters given as values and fills in the defaults. The result has every parameter, in the schema's order.
 *
 * @throws {StrategyError} PARAM_UNKNOWN, PARAM_INVALID
 */
export function resolveParams<Params extends TObject>(
  schema: Params,
  given: Readonly<Record<string, unknown>> = {},
): Static<Params> {
  const properties = schema.properties as Readonly<Record<string, PropertySchema>>;
  const names = Object.keys(properties);
  for (const name of Object.keys(given)) if (!Object.hasOwn(properties, name)) throw unknownParam(name, names);
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const property = properties[name]!;
    const value = Object.hasOwn(given, name) ? given[name] : property.default;
    if (!Value.Check(property as TSchema, value)) {
      throw new StrategyError("PARAM_INVALID", `parameter ${name} cannot be ${JSON.stringify(value) ?? value}`, {
        place: name,
        hint: `it is ${[typeOf(property), allowedOf(property)].filter((part) => part !== "").join(", ")}; the default is ${property.default}`,
      });
    }
    values[name] = value;
  }
  return values as Static<Params>;
}

function unknownParam(name: string, names: readonly string[]): StrategyError {
  const nearest = findNearest(name, names);
  const list = names.length === 0 ? "this strategy has no parameters" : `parameters are ${names.join(", ")}`;
  return new StrategyError("PARAM_UNKNOWN", `there is no parameter ${JSON.stringify(name)}`, {
    place: name,
    hint: nearest === undefined ? list : `did you mean ${nearest}? ${list}`,
  });
}

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?(e-?[0-9]+)?$/;

/** Text as a value of the schema's type. Text that does not fit is left unchanged, so that the schema refuses it. */
function readText(name: string, property: PropertySchema, text: string): ParamValue {
  const type = typeOf(property);
  if (type === "number" || type === "integer") {
    if (NUMBER.test(text)) return Number(text);
    throw new StrategyError("PARAM_INVALID", `parameter ${name} is not a number: ${JSON.stringify(text)}`, {
      place: name,
      hint: `write it like the default, ${property.default}`,
    });
  }
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  const choices = choicesOf(property);
  return choices?.find((choice) => String(choice) === text) ?? text;
}

function typeOf(property: PropertySchema): string {
  if (property.type !== undefined) return property.type;
  return choicesOf(property) === undefined ? "value" : "choice";
}

function choicesOf({ enum: listed, const: only, anyOf }: PropertySchema): readonly ParamValue[] | undefined {
  if (listed !== undefined) return listed;
  if (only !== undefined) return [only];
  if (anyOf === undefined) return undefined;
  const choices = anyOf.map(choicesOf);
  return choices.every((choice) => choice !== undefined) ? choices.flat() : undefined;
}

function allowedOf(property: PropertySchema): string {
  const choices = choicesOf(property);
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = property;
  const bounds: string[] = [];
  if (minimum !== undefined) bounds.push(`at least ${minimum}`);
  if (exclusiveMinimum !== undefined) bounds.push(`above ${exclusiveMinimum}`);
  if (maximum !== undefined) bounds.push(`at most ${maximum}`);
  if (exclusiveMaximum !== undefined) bounds.push(`below ${exclusiveMaximum}`);
  return bounds.join(", ");
}
