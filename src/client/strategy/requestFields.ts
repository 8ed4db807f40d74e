/** The fields of a strategy's requests. Types are stripped and not checked, so each call is checked here. */
import { findNearest } from "../../ground/collections/nearest.ts";
import type {
  Amendment,
  CancelAllRequest,
  CloseRequest,
  OrderRequest,
  PositionRequest,
  ProtectRequest,
  TakeProfitLeg,
  TrailLeg,
  TriggerLeg,
  TriggerRequest,
} from "./context.ts";
import { StrategyError } from "./errors.ts";

/** The required form of a field's value, and whether a value has it. */
interface FieldKind {
  readonly words: string;
  accepts(value: unknown): boolean;
}

type Fields<Request> = Readonly<Record<keyof Request, FieldKind>>;

type Trail = { readonly trail: number; readonly trailRate: number };

const NUMBER: FieldKind = { words: "a number", accepts: (value) => typeof value === "number" };
const FLAG: FieldKind = { words: "true or false", accepts: (value) => typeof value === "boolean" };
const TEXT: FieldKind = { words: "a text", accepts: (value) => typeof value === "string" };
const BOUND: FieldKind = {
  words: "a ratio of at least 0, such as 0.01",
  accepts: (value) => typeof value === "number" && value >= 0,
};
/** Its own fields are checked where it is converted. */
const LEG: FieldKind = {
  words: "a price, or an object with trigger or trail",
  accepts: (value) => typeof value === "number" || isObject(value),
};

const SIDES = oneOf("buy", "sell");
const TIMES_IN_FORCE = oneOf("GTC", "IOC", "FOK");

const TRIGGERED = {
  source: oneOf("mark", "index", "last"),
  price: NUMBER,
  slippage: BOUND,
  timeInForce: TIMES_IN_FORCE,
  postOnly: FLAG,
};
const INTENT = { side: SIDES, size: NUMBER, untilMs: NUMBER, market: TEXT };

const ORDER: Fields<OrderRequest> = {
  side: SIDES,
  size: NUMBER,
  price: NUMBER,
  slippage: BOUND,
  timeInForce: TIMES_IN_FORCE,
  postOnly: FLAG,
  reduceOnly: FLAG,
  market: TEXT,
  stop: LEG,
  takeProfit: LEG,
};
const AMENDMENT: Fields<Amendment> = { size: NUMBER, price: NUMBER };
const CANCELLATION: Fields<CancelAllRequest> = { intents: FLAG };
const CLOSE: Fields<CloseRequest> = { market: TEXT, size: NUMBER, slippage: BOUND };
const POSITION: Fields<PositionRequest> = { market: TEXT, slippage: BOUND };
const PROTECTION: Fields<ProtectRequest> = { ...INTENT, stop: LEG, takeProfit: LEG };
/** With the fields of both kinds: the conversion refuses those of the other. */
const TRIGGER_LEG: Fields<TriggerLeg & Trail> = { ...TRIGGERED, trigger: NUMBER, trail: NUMBER, trailRate: NUMBER };
const TRIGGER: Fields<TriggerRequest & Trail> = { ...TRIGGER_LEG, ...INTENT, reduceOnly: FLAG };

/** Methods of the context that take an object. */
type Call =
  | "place"
  | "amend"
  | "cancelAll"
  | "close"
  | "setPosition"
  | "protect"
  | "stop"
  | "takeProfit"
  | "trailingStop";

const CALLS: Readonly<Record<Call, Readonly<Record<string, FieldKind>>>> = {
  place: ORDER,
  amend: AMENDMENT,
  cancelAll: CANCELLATION,
  close: CLOSE,
  setPosition: POSITION,
  protect: PROTECTION,
  stop: TRIGGER,
  takeProfit: TRIGGER,
  trailingStop: TRIGGER,
};

/**
 * Checks the object that a call of the context was given: no field is dropped, and none is read as something else.
 *
 * @param call method of the context, for the error
 * @throws {StrategyError} ORDER_INVALID with the field at fault
 */
export function checkRequest(call: Call, request: unknown): void {
  checkFields(`ctx.${call}`, request, CALLS[call]);
  if (call !== "place") return;
  const { side, size } = request as Partial<OrderRequest>;
  if (side === undefined) throw invalid("ctx.place needs a side", "side", `give ${SIDES.words}`);
  if (size === undefined) throw invalid("ctx.place needs a size", "size", "give units of base");
}

/** The same for one leg of a bracket, or for the rest of a request without its own fields. */
export function checkLeg(kind: string, leg: TriggerLeg | TrailLeg | TakeProfitLeg): void {
  checkFields(`a ${kind}`, leg, TRIGGER_LEG);
}

function checkFields(owner: string, given: unknown, fields: Readonly<Record<string, FieldKind>>): void {
  if (!isObject(given)) {
    throw invalid(
      `${owner} takes an object, not ${show(given)}`,
      owner,
      `its fields are ${Object.keys(fields).join(", ")}`,
    );
  }
  for (const name of Object.keys(given)) {
    const value = given[name];
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) {
      const names = Object.keys(fields);
      const near = findNearest(name, names);
      const hint = `${near === undefined ? "" : `did you mean ${near}? `}its fields are ${names.join(", ")}`;
      throw invalid(`${owner} has no field ${name}`, name, hint);
    }
    if (value !== undefined && !kind.accepts(value)) {
      throw invalid(`${name} is ${show(value)}`, name, `give ${kind.words}`);
    }
  }
}

function oneOf(...words: readonly string[]): FieldKind {
  return {
    words: `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
    accepts: (value) => words.includes(value as string),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in an error. `NaN` has no form in JSON. */
function show(value: unknown): string {
  return typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
}

function invalid(reason: string, place: string, hint: string): StrategyError {
  return new StrategyError("ORDER_INVALID", reason, { place, hint });
}
