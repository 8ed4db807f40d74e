import { expect, test } from "vitest";
import type { PositionView } from "../../../../src/client/strategy/context.ts";
import { getLiquidationPrice } from "../../../../src/venue/engine/margin/liquidationPrice.ts";
import type { AccountRow, MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { getPosition } from "../../../../src/venue/engine/state/state.ts";
import { run, strategy } from "../helpers.ts";
import { HOUR, memorySource, START } from "../memorySource.ts";

const CLOSES = [100, 100, 120];
const events = CLOSES.map((close, bar) => {
  const open = CLOSES[bar - 1] ?? 100;
  const ohlc = [open, Math.max(open, close) + 1, Math.min(open, close) - 1, close] as const;
  return { kind: "bar", timeMs: START + bar * HOUR, ohlc, volume: 100_000 } as const;
});

test("a position of a past bar keeps its liquidation price, and so does a copy of it", async () => {
  const kept: PositionView[] = [];
  const trader = strategy({
    onBar(ctx) {
      if (kept.length === 0) ctx.place({ side: "buy", size: 4 });
      kept.push(ctx.account.position());
    },
  });
  const { state } = await run({
    strategy: trader,
    data: memorySource(events),
    leverage: 10,
    deposit: "100",
    blocks: "all",
  });
  const [flat, first, second] = kept;
  expect(flat?.liquidationPrice).toBeUndefined();
  expect(first).toMatchObject({ size: 4 });
  expect(second!.unrealized).toBeGreaterThan(first!.unrealized);
  const now = getLiquidationPrice(state, getPosition(state, 1 as AccountRow, 0 as MarketRow))! / 1e8;
  expect(now).toBeLessThan(100);
  expect(first!.liquidationPrice).toBe(now);
  expect({ ...first }.liquidationPrice).toBe(now);
  expect(JSON.parse(JSON.stringify(first)).liquidationPrice).toBe(now);
  expect(Object.keys(first!).sort()).toEqual(["entry", "isolatedMargin", "liquidationPrice", "size", "unrealized"]);
});
