import { type TObject, type TSchema, Type } from "typebox";
import type { ParamValue } from "../../client/strategy/params.ts";
import { HOOKS, type HookName } from "../../client/strategy/strategy.ts";
import { invalidMessage } from "./errors.ts";

/** A strategy as its client defines it. */
export interface Definition {
  readonly id: string;
  readonly title: string;
  readonly params: TObject;
  /** The hooks that it has. One that is left out costs no message. */
  readonly hooks: ReadonlySet<HookName>;
  /** A list of spans, or `true`: the client is asked, with the parameters. Undefined for none. */
  readonly frames: unknown;
  /** A warm-up, or `true` as for `frames`. */
  readonly warmUp: unknown;
}

const FIELDS: ReadonlySet<string> = new Set(["id", "title", "params", "hooks", "frames", "warmUp"]);
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const PARAM_FIELDS: ReadonlySet<string> = new Set(["type", "default", "description", "choices", ...BOUNDS]);

/**
 * Reads a definition as it travels. Its own checks are those of `checkStrategy`. @throws {StrategyHostError}
 * MESSAGE_INVALID
 */
export function readDefinition(value: unknown): Definition {
  const given = readMap(value, "strategy");
  for (const name of Object.keys(given)) {
    if (!FIELDS.has(name)) throw invalidMessage(`a strategy has no field ${name}`, name);
  }
  const { id, title, hooks, frames, warmUp } = given;
  if (typeof id !== "string") throw invalidMessage("a strategy needs an id", "id");
  if (!Array.isArray(hooks)) throw invalidMessage("`hooks` is a list of names", "hooks");
  for (const hook of hooks) {
    if (!HOOKS.includes(hook)) throw invalidMessage(`there is no hook ${JSON.stringify(hook)}`, "hooks");
  }
  return {
    id,
    title: typeof title === "string" ? title : "",
    params: Type.Object(
      Object.fromEntries(
        Object.entries(readMap(given["params"] ?? {}, "params")).map(([name, param]) => [name, readParam(name, param)]),
      ),
    ),
    hooks: new Set(hooks as HookName[]),
    frames: frames ?? undefined,
    warmUp: warmUp ?? undefined,
  };
}

function readParam(name: string, value: unknown): TSchema {
  const given = readMap(value, name);
  for (const field of Object.keys(given)) {
    if (!PARAM_FIELDS.has(field)) throw invalidMessage(`parameter ${name} has no field ${field}`, name);
  }
  const { type, choices } = given;
  const options: Record<string, unknown> = { default: given["default"], description: given["description"] ?? "" };
  for (const bound of BOUNDS) if (given[bound] !== undefined && given[bound] !== null) options[bound] = given[bound];
  if (Array.isArray(choices)) {
    return Type.Union(
      choices.map((choice: ParamValue) => Type.Literal(choice)),
      options,
    );
  }
  if (type === "integer") return Type.Integer(options);
  if (type === "number") return Type.Number(options);
  if (type === "boolean") return Type.Boolean(options);
  if (type === "string") return Type.String(options);
  throw invalidMessage(`parameter ${name} has the type ${JSON.stringify(type)}`, name);
}

function readMap(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidMessage(`${place} is a map`, place);
}
