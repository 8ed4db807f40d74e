import { type Conditions, type FieldRule, need, refuse } from "../fieldRules.ts";

/**
 * Fields of an order that go with its type and its time in force (ACT-3). They apply to an order, to the entry of a
 * group, and to the order that an intent or a leg places.
 *
 * @param also further conditions of every row
 */
export function orderRules(also: Conditions = {}): readonly FieldRule[] {
  return [
    ...refuse(["slippage"], { when: { ...also, orderType: ["limit"] }, code: "FIELD_REFUSED" }),
    slippageRule(also),
    need("price", { when: { ...also, orderType: ["limit"] }, code: "PRICE_REQUIRED" }),
    need("price", { when: { ...also, orderType: ["market"] }, or: "slippage", code: "PRICE_REQUIRED" }),
    ...refuse(["timeInForce"], {
      when: { ...also, orderType: ["market"] },
      words: ["GTT"],
      code: "EXPIRY_MISMATCH",
    }),
    ...refuse(["postOnly"], { when: { ...also, orderType: ["market"] }, code: "POST_ONLY_WITH_TAKING" }),
    ...refuse(["postOnly"], { when: { ...also, timeInForce: ["IOC", "FOK"] }, code: "POST_ONLY_WITH_TAKING" }),
  ];
}

/** A slippage bound is not negative. */
export const slippageRule = (also: Conditions = {}): FieldRule => ({
  field: "slippage",
  use: "within",
  least: 0,
  range: "at least 0",
  when: also,
  code: "FIELD_REFUSED",
});
