import { expect, test } from "vitest";
import { OwnOrders } from "../../../../src/product/backtest/account/ownOrders.ts";
import { run, strategy } from "../helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "../memorySource.ts";

// An order that is filled whole as a taker ends without an event of its own. Each one was kept to the end of the run.
test("orders are forgotten when they end: filled as takers, as makers, expired, amended into a fill, cancelled", async () => {
  const open: number[] = [];
  const settle = OwnOrders.prototype.settle;
  OwnOrders.prototype.settle = function (state) {
    settle.call(this, state);
    open.push(this.open);
  };
  try {
    await run({
      data: memorySource(
        hourlyBars(
          Array.from({ length: 20 }, () => [100, 104, 96, 100] as const),
          4_000,
        ),
      ),
      strategy: strategy({
        init: () => ({ ids: [] as string[] }),
        onBar(ctx, { closeTimeMs }) {
          const { memory } = ctx;
          const hour = (closeTimeMs - START) / HOUR;
          if (hour <= 8) ctx.place({ side: hour % 2 === 0 ? "buy" : "sell", size: 5, slippage: 0.02 });
          if (hour === 9) ctx.place({ side: "buy", size: 5, price: 98 });
          if (hour === 10) ctx.place({ side: "buy", size: 1, price: 90, timeInForce: "IOC" });
          if (hour === 11) memory.ids.push(ctx.place({ side: "buy", size: 3, price: 90 }));
          if (hour === 13) ctx.amend(memory.ids[0]!, { price: 103 });
          if (hour === 14) ctx.place({ side: "buy", size: 3, price: 80 });
          if (hour === 16) ctx.cancelAll();
          if (hour === 17) ctx.close();
        },
      }),
    });
  } finally {
    OwnOrders.prototype.settle = settle;
  }
  expect(Math.max(...open)).toBe(1);
  expect(open.at(-1)).toBe(0);
});
