import { expect, test } from "vitest";
import { checkLeg, checkRequest } from "../../../src/client/strategy/requestFields.ts";

// The types of a strategy are stripped, so a wrong word reaches the run: it is refused, never dropped or read as
// another.
test.each([
  ["place", { side: "long", size: 1 }, "side", 'side is "long"', "give buy or sell"],
  ["place", { size: 1 }, "side", "ctx.place needs a side", "give buy or sell"],
  ["place", { side: "buy" }, "size", "ctx.place needs a size", "give units of base"],
  ["place", { side: "buy", size: "1" }, "size", 'size is "1"', "give a number"],
  ["place", { side: "buy", size: 1, timeInForce: "gtc" }, "timeInForce", 'is "gtc"', "give GTC, IOC or FOK"],
  ["place", { side: "buy", size: 1, postonly: true }, "postonly", "has no field postonly", "did you mean postOnly?"],
  ["place", { side: "buy", size: 1, reduceOnly: "yes" }, "reduceOnly", 'is "yes"', "give true or false"],
  [
    "place",
    { side: "buy", size: 1, slippage: Number.NaN },
    "slippage",
    "slippage is NaN",
    "give a ratio of at least 0",
  ],
  ["place", { side: "buy", size: 1, slippage: -0.1 }, "slippage", "slippage is -0.1", "give a ratio of at least 0"],
  ["place", { side: "buy", size: 1, stop: "90" }, "stop", 'stop is "90"', "give a price, or an object"],
  ["place", { side: "buy", size: 1, stopLoss: 90 }, "stopLoss", "has no field stopLoss", "stop, takeProfit"],
  ["place", "buy", "ctx.place", 'takes an object, not "buy"', "its fields are side, size"],
  ["amend", { qty: 1 }, "qty", "ctx.amend has no field qty", "its fields are size, price"],
  ["close", { sise: 1 }, "sise", "ctx.close has no field sise", "did you mean size?"],
  ["close", null, "ctx.close", "takes an object, not null", "its fields are"],
  ["setPosition", { slipage: 1 }, "slipage", "has no field slipage", "did you mean slippage?"],
  ["cancelAll", { intent: true }, "intent", "has no field intent", "did you mean intents?"],
  ["protect", { stop: 90, reduceOnly: true }, "reduceOnly", "has no field reduceOnly", "its fields are side"],
  ["stop", { trigger: 90, source: "oracle" }, "source", 'is "oracle"', "give mark, index or last"],
  ["takeProfit", { price: 90, triger: 1 }, "triger", "has no field triger", "did you mean trigger?"],
  ["trailingStop", { trail: [5] }, "trail", "trail is [5]", "give a number"],
] as const)("ctx.%s(%j) is refused, with the field %s", (call, request, place, message, hint) => {
  expect(() => checkRequest(call, request)).toThrow(
    expect.objectContaining({
      code: "ORDER_INVALID",
      place,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    }),
  );
});

test("every field of a call is accepted, and one that is undefined counts as left out", () => {
  const order = { price: 1, timeInForce: "FOK", postOnly: true, reduceOnly: false, market: "BTC" };
  const leg = { trigger: 90, source: "last", price: 89, slippage: 0.01, timeInForce: "IOC", postOnly: false };
  const trigger = { ...leg, side: "sell", size: 1, untilMs: 5, market: "BTC", reduceOnly: true };
  const accepted = [
    ["place", { side: "buy", size: 1, ...order, slippage: undefined, stop: leg, takeProfit: 110 }],
    ["amend", { size: 1, price: 2 }],
    ["cancelAll", { intents: true }],
    ["close", { market: "BTC", size: 1, slippage: 0 }],
    ["setPosition", { market: "BTC", slippage: 0.1 }],
    ["protect", { side: "buy", size: 1, untilMs: 9, market: "BTC", stop: { trailRate: 0.1 }, takeProfit: 1 }],
    ["stop", trigger],
    ["takeProfit", trigger],
    ["trailingStop", { trail: 5 }],
  ] as const;
  for (const [call, request] of accepted) expect(() => checkRequest(call, request)).not.toThrow();
});

test("a leg of a bracket is checked in the same way", () => {
  expect(() => checkLeg("stop", { trigger: 1, limit: 2 } as never)).toThrow(
    expect.objectContaining({ place: "limit", message: "a stop has no field limit" }),
  );
});
