import { expect, test } from "vitest";
import { FROM_MS, measureOctober, type OctoberRow } from "../../../bench/validation/october/measure.ts";

type Cells = readonly [
  minutes: number,
  coin: string,
  side: string,
  px: string,
  sz: string,
  start: string,
  dir: string,
  pnl: string,
  self?: string,
];
const row = ([minutes, coin, side, px, sz, start_position, dir, closed_pnl, liq_self = ""]: Cells): OctoberRow => {
  const time_ms = `${FROM_MS + minutes * 60_000}`;
  return { time_ms, coin, side, px, sz, start_position, dir, closed_pnl, vault: "v1", liq_self };
};

// A short of 2 and a long of 1 from before the hour. Deleveraging closes half of the short, a liquidation the long.
const ROWS: readonly Cells[] = [
  [-60, "ETH", "A", "4000", "2", "0", "Open Short", "0"],
  [-50, "BTC", "B", "120000", "1.5", "0", "Open Long", "0"],
  [5, "BTC", "A", "115000", "0.5", "1.5", "Close Long", "-2500"],
  [20, "ETH", "B", "3500", "1", "-2", "Auto-Deleveraging", "500"],
  [21, "BTC", "A", "101000", "1", "1", "Liquidated Cross Long", "-19000", "1"],
];
const measure = (rows: readonly Cells[]) => measureOctober(() => rows.map(row), {});

test("fills of the hour are counted by kind, with positions from before it", () => {
  const { kinds, highest, lowest, ...figures } = measure(ROWS);
  const one = { fills: 1, chained: 1, closes: 1, equalCloses: 1 };
  expect(kinds).toEqual({ traded: one, liquidated: one, deleveraged: one });
  expect([highest, lowest]).toEqual([115_000, 101_000]);
  expect(figures).toMatchObject({ vaults: 1, coins: 2, deleveragedVaults: 1, hedgedVaults: 1 });
});

test("a planted PnL of the deleveraging is found, and a vault without the other leg is not hedged", () => {
  const planted = ROWS.map(
    (cells): Cells => (cells[6] === "Auto-Deleveraging" ? (cells.with(7, "400") as unknown as Cells) : cells),
  );
  expect(measure(planted).kinds.deleveraged).toMatchObject({ closes: 1, equalCloses: 0 });
  expect(measure(ROWS.filter(([, coin]) => coin === "ETH")).hedgedVaults).toBe(0);
});

test("both settlements of the hour are compared, and no other", () => {
  const hour = (hours: number, funding_rate: string, premium: string) => {
    return { time_ms: `${FROM_MS + hours * 3_600_000 + 84}`, funding_rate, premium };
  };
  const BTC = [hour(-1, "1", "0"), hour(0, "-0.0000071285", "-0.0005570279"), hour(1, "0.0002", "0.0023613179")];
  const { funding } = measureOctober(() => ROWS.map(row), { BTC });
  expect(funding.map(({ isEqual }) => isEqual)).toEqual([true, false]);
});
