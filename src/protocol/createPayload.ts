import { type ActionName, actions, type GivenPayloads, type Payloads } from "./actions/index.ts";
import { decodePayload } from "./codec.ts";
import { completePayload } from "./completePayload.ts";

/**
 * The payload of an action, from its fields in JSON. A field that is left out is absent: an empty text, 0, false, the
 * first word of its list, an empty list. A new field of an action needs nothing here.
 *
 *     createPayload("withdraw", { amount: "100" })
 *
 * Prices, sizes, amounts and rates are decimal texts, ids decimal texts, heights and times integers.
 *
 * @param path first part of the place that an error names
 * @throws {ValidationError} `missingField` for a field without a default (`side`, `size`), or what else the wire
 *   refuses
 */
export function createPayload<A extends ActionName>(action: A, given: GivenPayloads[A], path = "payload"): Payloads[A] {
  return decodePayload(action, completePayload(actions[action].fields, given), path);
}

/**
 * The payload of `placeOrder`: `order({ market, side, size, price })` is a GTC limit order.
 *
 * @throws {ValidationError} as `createPayload`
 */
export function order(given: GivenPayloads["placeOrder"]): Payloads["placeOrder"] {
  return createPayload("placeOrder", given);
}
