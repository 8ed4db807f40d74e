import { expect, test } from "vitest";
import { viewTrade } from "../../../src/server/face/views/trades.ts";
import type { Happening } from "../../../src/server/history/model.ts";
import { Trades } from "../../../src/server/history/trades.ts";
import { hostOfFlow } from "../helpers/flowHost.ts";

// What a print trades belongs to no account, so no limit of an account bounds its value.
test("the value of a recorded trade is exact, however great it is (ACC-1)", () => {
  const { state } = hostOfFlow(117, 1).host;
  const { tickSize, lotSize, tickLotValue } = state.parameters[0]!;
  const trades = new Trades(10, () => undefined);
  const at: Happening = { state, height: 1, timeMs: 1, ordinal: 0, txIndex: 0, eventIndex: 0 } as never;
  const [price, size] = [2 ** 31 - 1, 4_500_000_000_000_001];
  trades.on.printed!({ kind: "printed", market: 0, side: 0, price, size }, at);
  const [trade] = [...trades.ofMarket(0).newestFirst()];
  const value = BigInt(price) * BigInt(tickSize) * BigInt(size) * BigInt(lotSize);
  expect(BigInt(trade!.value)).toBe(BigInt(price) * BigInt(size) * BigInt(tickLotValue));
  // Prices and sizes have eight decimals each, amounts six.
  const text = `${value / 10n ** 16n}.${String((value % 10n ** 16n) / 10n ** 10n).padStart(6, "0")}`;
  expect(viewTrade(state, trade!)).toMatchObject({ kind: "recorded", value: text.replace(/\.?0+$/, "") });
});
