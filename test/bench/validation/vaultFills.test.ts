import { expect, test } from "vitest";
import { type CloseClass, PositionChains, type RecordedFill } from "../../../bench/validation/vaultFills/chain.ts";
import { findSizeDecimals, measureVaultFills } from "../../../bench/validation/vaultFills/measure.ts";

type Cells = readonly [side: string, px: string, sz: string, start: string, dir: string, pnl: string];

const fill = (
  [side, px, sz, start_position, dir, closed_pnl]: Cells,
  coin = "SOL",
): RecordedFill & { time_ms: string } => {
  return { time_ms: "1739580000000", coin, side, px, sz, start_position, dir, closed_pnl, vault: "v1" };
};

/** SOL: sizes of two decimals, prices of four. */
const decimals = new Map([["SOL", 2]]);
const classify = (...rows: readonly Cells[]) => {
  const chains = new PositionChains(decimals);
  return rows.map((row) => chains.add(fill(row)));
};
const lastClass = (...rows: readonly Cells[]): CloseClass | undefined => classify(...rows).at(-1)!.close?.class;

// By hand: 10 bought at 100.5 and sold at 101 earn 5.
const OPEN: Cells = ["B", "100.5", "10.0", "0.0", "Open Long", "0.0"];
const CLOSE: Cells = ["A", "101.0", "10.0", "10.0", "Close Long", "5.0"];
const withPnl = ([side, px, sz, start, dir]: Cells, pnl: string): Cells => [side, px, sz, start, dir, pnl];

test("a close with the PnL of its prices is equal", () => {
  expect(lastClass(OPEN, CLOSE)).toBe("exact");
});

test("a short is bought back, and a fill through zero closes the old position alone", () => {
  // 4 sold at 50 and bought at 49.5 earn 2; the other 2 open a long.
  const turned = classify(["A", "50", "4", "0", "Open Short", "0"], ["B", "49.5", "6", "-4", "Short > Long", "2"]);
  expect(turned[1]!.close).toMatchObject({ class: "exact", realized: 2_000_000 });
  expect(lastClass(["B", "49.5", "6", "-4", "Short > Long", "2"], ["A", "50", "2", "2", "Close Long", "1"])).toBe(
    "exact",
  );
});

test("an entry of two fills is equal once its average is cut to the step of prices", () => {
  // 3,000.2 for 300: the average 10.000666… is cut to 10.0006.
  const entry: Cells[] = [
    ["B", "10", "100", "0", "Open Long", "0"],
    ["B", "10.001", "200", "100", "Open Long", "0"],
  ];
  const sale = (pnl: string): Cells => ["A", "11", "300", "300", "Close Long", pnl];
  expect(lastClass(...entry, sale("299.8"))).toBe("exact");
  expect(lastClass(...entry, sale("299.82"))).toBe("entryCut");
  expect(lastClass(...entry, sale("299.81"))).toBe("withinStep");
});

test("a planted cent in a recorded PnL is found", () => {
  expect(lastClass(OPEN, withPnl(CLOSE, "5.01"))).toBe("other");
  expect(lastClass(OPEN, withPnl(CLOSE, "-5.0"))).toBe("other");
});

test("a planted difference within a step of prices has a class of its own", () => {
  expect(lastClass(OPEN, withPnl(CLOSE, "5.0005"))).toBe("withinStep");
});

test("a difference of a price off the grid, or of an entry at one, is named as such", () => {
  expect(lastClass(OPEN, ["A", "101.12345678", "10.0", "10.0", "Close Long", "6.3"])).toBe("averagedPrice");
  expect(lastClass(["B", "100.51234567", "10", "0", "Open Long", "0"], withPnl(CLOSE, "5.5"))).toBe("averagedEntry");
});

test("a difference of a deleveraging is named as such", () => {
  expect(lastClass(OPEN, ["A", "101", "10", "10", "Auto-Deleveraging", "7"])).toBe("forced");
});

test("a planted gap is found, and closes after it wait for a flat position", () => {
  const [, gap, opened, closed] = classify(
    OPEN,
    ["A", "101", "5", "9", "Close Long", "2.5"],
    ["A", "101", "4", "4", "Close Long", "2"],
    ["B", "100", "1", "0", "Open Long", "0"],
  );
  expect(gap).toEqual({ continuation: "breaks", isEntryUnknown: true });
  expect(opened).toEqual({ continuation: "follows", isEntryUnknown: true });
  expect(closed).toEqual({ continuation: "follows", isEntryUnknown: false });
});

test("the lot of a coin is the finest step of its sizes, without the noise of doubles", () => {
  const sizes = ["1.5", "2.25", "3.0", "123633.8000000001"];
  expect(findSizeDecimals(sizes.map((sz) => ({ coin: "SOL", sz })))).toEqual(new Map([["SOL", 2]]));
});

test("the counts add up", () => {
  const rows = [fill(OPEN), fill(CLOSE), fill(OPEN), fill(withPnl(CLOSE, "5.25"))];
  const figures = measureVaultFills(() => rows);
  expect(figures).toMatchObject({
    fills: 4,
    coins: 1,
    vaults: 1,
    continuations: { first: 1, follows: 3, breaks: 0 },
    equalShare: 0.5,
  });
  expect(figures.closes.exact.count).toBe(1);
  expect(figures.closes.other).toEqual({ count: 1, greatestDifference: 0.25 });
});
