/** Fields that an action needs or refuses (ACT-3), by the rows of its definition. */
import {
  type CompiledRules,
  compileFieldRules,
  type FieldRule,
  findFieldFault,
  wordsOf,
} from "../../../protocol/fieldRules.ts";
import type { Fields } from "../../../protocol/fields.ts";
import type { RejectionCode, RejectionNumbers } from "../../../protocol/rejections.ts";
import { ORDER_TYPES, TIMES_IN_FORCE } from "../../../protocol/words.ts";
import { type Rejection, reject } from "./defineHandler.ts";

/** A definition whose rows are checked: an action, or a record in one. */
interface Definition {
  readonly fields: Fields;
  readonly rules: readonly FieldRule[];
}

/** The rows of a definition as checks, by code: handlers check each code at its precedence. */
export class FieldChecks {
  readonly #fields: Fields;
  readonly #rules: CompiledRules;

  constructor({ fields, rules }: Definition) {
    this.#fields = fields;
    this.#rules = compileFieldRules(fields, rules);
  }

  /** The first row of a code that a payload breaks. */
  find(code: RejectionCode, payload: object): FieldRule | undefined {
    return findFieldFault(this.#rules, code, payload);
  }

  /**
   * Rejects a field that has no effect with the other fields. The numbers name it, with the words of the fields that
   * decide it, or its range.
   *
   * @param parameters words of the market's parameters that rows read
   */
  refuse(payload: object, parameters?: Readonly<Record<string, string>>): Rejection | undefined {
    const rule = findFieldFault(this.#rules, "FIELD_REFUSED", payload, parameters);
    if (rule === undefined) return undefined;
    const { field } = rule;
    if (rule.use === "within") {
      return reject("FIELD_REFUSED", { field, [field]: (payload as Record<string, number>)[field]! });
    }
    return reject("FIELD_REFUSED", { field, ...wordsOf(this.#fields, rule, payload, parameters) });
  }
}

/** Values that decide whether an order's fields fit together. */
export interface OrderFields {
  readonly orderType: number;
  readonly timeInForce: number;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
}

/** Numbers of `POST_ONLY_WITH_TAKING`. */
export function describeTaking({ orderType, timeInForce }: Pick<OrderFields, "orderType" | "timeInForce">) {
  return { orderType: ORDER_TYPES[orderType]!, timeInForce: TIMES_IN_FORCE[timeInForce]! };
}

/** Numbers of `EXPIRY_MISMATCH`. */
export function describeExpiry(order: OrderFields): RejectionNumbers {
  return { ...describeTaking(order), goodTilHeight: order.goodTilHeight, goodTilTime: order.goodTilTime };
}
