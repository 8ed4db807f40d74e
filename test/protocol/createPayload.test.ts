import { describe, expect, test } from "vitest";
import { ACTION_NAMES, actions, type GivenPayloads } from "../../src/protocol/actions/index.ts";
import { decodePayload, encodePayload } from "../../src/protocol/codec.ts";
import { createPayload, order } from "../../src/protocol/createPayload.ts";
import { isValidationError } from "../../src/protocol/errors.ts";
import type { Field, Fields } from "../../src/protocol/fields.ts";

const BID = { market: "BTC-PERP", side: "buy", size: "0.5", price: "60000" } as const;

test("an order of which four fields are given is a GTC limit order with all the others absent", () => {
  expect(encodePayload("placeOrder", order(BID))).toEqual({
    ...BID,
    orderType: "limit",
    slippage: "",
    timeInForce: "GTC",
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: "no",
    reduceOnly: false,
    selfTrade: "cancelTaker",
    selfTradeScope: "account",
    clientOrderId: "",
  });
});

test("records in a list are completed, too", () => {
  const { orders } = createPayload("placeOrders", { mode: "each", orders: [BID, { ...BID, side: "sell" }] });
  expect(orders).toEqual([order(BID), order({ ...BID, side: "sell" })]);
});

test("a field without a default is named with its place", () => {
  const faultOf = (make: () => unknown) => {
    try {
      return make();
    } catch (error) {
      if (!isValidationError(error)) throw error;
      return `${error.fault} ${error.path}`;
    }
  };
  const { side: _, ...sideless } = BID;
  expect(faultOf(() => order(sideless as never))).toBe("missingField payload.side");
  expect(faultOf(() => createPayload("placeOrders", { mode: "all", orders: [sideless as never] }))).toBe(
    "missingField payload.orders[0].side",
  );
  expect(faultOf(() => createPayload("withdraw", { amount: 5 } as never, "withdraw"))).toBe(
    "wrongType withdraw.amount",
  );
});

describe.each(ACTION_NAMES)("%s", (action) => {
  test("needs the fields without a default, and no others", () => {
    const needed = requiredOf(actions[action].fields);
    const payload = createPayload(action, needed as unknown as GivenPayloads[typeof action]);
    const json = encodePayload(action, payload as never);
    expect(decodePayload(action, json)).toEqual(payload);
    expect(json).toMatchObject(needed);
    for (const name of Object.keys(needed)) {
      const { [name]: _, ...rest } = needed;
      expect(() => createPayload(action, rest as never), name).toThrow(/missing/);
    }
  });
});

/** A value for every field that has no default. */
function requiredOf(fields: Fields): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, field]) => [name, sampleOf(field)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function sampleOf(field: Field): unknown {
  switch (field.kind) {
    case "word":
      return field.required === true ? field.words.at(-1) : undefined;
    case "text":
    case "market":
      return field.optional ? undefined : "A";
    case "price":
    case "size":
    case "amount":
    case "rate":
      return field.optional ? undefined : "1";
    case "id":
      return field.optional ? undefined : "7";
    case "time":
      return field.optional === true ? undefined : 7;
    case "address":
      return field.optional === true ? undefined : `0x${"12".repeat(20)}`;
    case "bytes32":
      return `0x${"12".repeat(32)}`;
    case "bytes":
      return "0x12";
    case "record":
      return requiredOf(field.members as Fields);
    default:
      return undefined;
  }
}
