import { Type } from "typebox";
import { expect, test } from "vitest";
import { describeParams } from "../../../src/client/strategy/params.ts";
import { checkStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import funding from "../../../src/product/strategies/funding.ts";
import maker from "../../../src/product/strategies/maker.ts";
import trend from "../../../src/product/strategies/trend.ts";

test("a strategy that defines itself wrongly is refused with what is wrong", () => {
  const cases: [unknown, string | undefined][] = [
    [undefined, undefined],
    ["trend", undefined],
    [{ id: "Not An Id", params: Type.Object({}) }, undefined],
    [{ id: "x", params: undefined }, undefined],
    [{ id: "x", params: Type.Object({ a: Type.Number({ description: "No default." }) }) }, "a"],
    [{ id: "x", params: Type.Object({ a: Type.Number({ default: 1 }) }) }, "a"],
    [{ id: "x", params: Type.Object({}), onTick: () => undefined }, "onTick"],
    [{ id: "x", params: Type.Object({}), onBar: 5 }, "onBar"],
  ];
  for (const [value, place] of cases) {
    expect(() => checkStrategy(value), JSON.stringify(value)).toThrow(
      expect.objectContaining({ code: "STRATEGY_INVALID", place }),
    );
  }
});

test("types flow from params and init to the hooks", () => {
  const strategy = defineStrategy({
    id: "typed",
    params: Type.Object({ length: Type.Integer({ default: 3, description: "How many." }) }),
    init: ({ params }) => ({ closes: [] as number[], most: params.length }),
    onBar({ memory, params }, { close }) {
      memory.closes.push(close);
      const length: number = params.length;
      if (memory.closes.length > length) memory.closes.shift();
    },
  });
  expect(checkStrategy(strategy)).toBe(strategy);
});

test("every example says what it is and what each of its parameters means", () => {
  for (const strategy of [trend, funding, maker]) {
    expect(checkStrategy(strategy)).toBe(strategy);
    expect(strategy.title).toMatch(/^[A-Z]/);
    for (const { description } of describeParams(strategy.params)) expect(description).toMatch(/^[A-Z].*\.$/);
  }
});
