import { expect, test } from "vitest";
import { buyBeyondBook, hold, type LrvxLimits } from "../../../bench/validation/lrvx/measure.ts";
import { describeLrvx } from "../../../bench/validation/lrvx/section.ts";

test("a purchase fills what the book has, from the best price on, and no more", () => {
  expect(buyBeyondBook("2.5").fills).toEqual([
    { price: 100, size: 1 },
    { price: 101, size: 1 },
    { price: 102, size: 0.5 },
  ]);
  const beyond = buyBeyondBook("100");
  expect(beyond.fills.reduce((sum, { size }) => sum + size, 0)).toBe(3);
  expect(beyond.status).toBe("partiallyFilled");
});

test("the equity of an open position moves with its price", async () => {
  const bars = [100, 200, 300].map((price, hour) => [
    1_000_000_800_000 + hour * 3_600_000,
    price,
    price,
    price,
    price,
    100,
  ]);
  expect(await hold(bars)).toEqual({ entryPrice: 200, lastPrice: 300, final: 1_100 });
});

test("the section says of a loss what was measured", () => {
  const loss = { leverage: 10, liquidations: 0, liquidation: null, final: 900, drawdown: 0.5, refusedOrders: 7 };
  const figures: LrvxLimits = {
    fee: "0.0004",
    perplab: { losses: [loss], purchase: buyBeyondBook("1"), held: { entryPrice: 1, lastPrice: 2, final: 3 } },
    lrvx: {
      version: "0.11.0",
      loss: { return: 2, drawdown: 1.5, fees: 1, final: 3_000, liquidations: 0, positionsOfStack: 0, equityOfStack: 1 },
      purchase: [],
      held: { final: 1 },
    },
  };
  expect(describeLrvx(figures).result).toContain("not liquidated here");
  const liquidation = { timeMs: 0, equity: 5, maintenance: 6 };
  const planted = { ...figures, perplab: { ...figures.perplab, losses: [{ ...loss, liquidations: 1, liquidation }] } };
  expect(describeLrvx(planted).result).toContain("200.0 % of return is liquidated here");
});
