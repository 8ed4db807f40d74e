import { expect, test } from "vitest";
import { type AccountRecord, measureAccount } from "../../../bench/validation/accountReplay/measure.ts";

const HOUR = 3_600_000;
const at = (hours: number, ms = 0) => `${hours * HOUR + ms}`;

// By hand: 100 deposited, 2 bought at 50 and sold at 51 earn 2, fees of 0.05 and 0.051, funding of 0.02 paid.
const record: AccountRecord = {
  ledger: [
    { time_ms: at(1), type: "deposit", usdc: "100.0", amount: "" },
    { time_ms: at(4), type: "send", usdc: "", amount: "101.87" },
  ],
  fills: [
    {
      time_ms: at(1, 60_000),
      coin: "A",
      side: "B",
      px: "50.0",
      sz: "2.0",
      startPosition: "0.0",
      dir: "Open Long",
      closedPnl: "0.0",
      fee: "0.05",
      crossed: "False",
    },
    {
      time_ms: at(2, 60_000),
      coin: "A",
      side: "A",
      px: "51.0",
      sz: "2.0",
      startPosition: "2.0",
      dir: "Close Long",
      closedPnl: "2.0",
      fee: "0.051",
      crossed: "False",
    },
  ],
  funding: [{ time_ms: at(2, 12), coin: "A", usdc: "-0.02", szi: "2.0", fundingRate: "0.0002" }],
};

const [open, close] = record.fills;
const change = (changes: Partial<AccountRecord>) => measureAccount({ ...record, ...changes });

test("a balance that was sent whole is that of fills, fees and funding, to the cent", () => {
  const { balance, checks, ...figures } = measureAccount(record);
  expect(balance).toBe(101_879_000);
  expect(checks).toEqual([
    { timeMs: 4 * HOUR, recorded: "101.87", balance, balanceByReports: balance, openPositions: 0, isEqual: true },
  ]);
  expect(figures).toMatchObject({ chained: 2, closes: 1, equalCloses: 1, fundingOfHeldSize: 1, fundingOfRightSign: 1 });
  expect(figures.hoursWithoutFunding).toBe(0);
});

test.each<[string, Partial<AccountRecord>]>([
  ["fee", { fills: [open!, { ...close!, fee: "0.061" }] }],
  ["price", { fills: [open!, { ...close!, px: "51.01" }] }],
  ["payment", { funding: [{ ...record.funding[0]!, usdc: "-0.03" }] }],
  ["deposit", { ledger: [{ ...record.ledger[0]!, usdc: "100.01" }, record.ledger[1]!] }],
])("a planted cent in a %s is found at the transfer", (_, changes) => {
  expect(change(changes).checks[0]!.isEqual).toBe(false);
});

test("a planted PnL changes the balance by the venue's reports alone", () => {
  const { checks, equalCloses } = change({ fills: [open!, { ...close!, closedPnl: "1.9" }] });
  expect(equalCloses).toBe(0);
  expect(checks[0]).toMatchObject({ isEqual: true, balance: 101_879_000, balanceByReports: 101_779_000 });
});

test("a payment that is missing, of another size, or of the wrong sign is found", () => {
  expect(change({ funding: [] }).hoursWithoutFunding).toBe(1);
  expect(change({ funding: [{ ...record.funding[0]!, szi: "3.0" }] }).fundingOfHeldSize).toBe(0);
  expect(change({ funding: [{ ...record.funding[0]!, usdc: "0.02" }] }).fundingOfRightSign).toBe(0);
});

test("a fill that does not continue the position is found", () => {
  expect(change({ fills: [open!, { ...close!, startPosition: "3.0" }] }).chained).toBe(1);
});

test("a transfer of another type is refused: no rule says what it does to the balance", () => {
  const ledger = [{ time_ms: at(1), type: "spotGenesis", usdc: "1", amount: "" }];
  expect(() => change({ ledger })).toThrow("no rule for a transfer of type spotGenesis");
});

test("a fee is one of the schedule, or a unit less; a planted unit more is found", () => {
  const feeOf = (fee: string, crossed: string, coin = "A") =>
    measureAccount({ ledger: [], funding: [], fills: [{ ...open!, fee, crossed, coin }] }).fees;
  // 0.045 % and 0.015 % of 100, and 4 % less.
  for (const fee of ["0.045", "0.0432", "0.043199"]) expect(feeOf(fee, "True").equal).toBe(1);
  for (const fee of ["0.015", "0.0144"]) expect(feeOf(fee, "False").equal).toBe(1);
  for (const fee of ["0.045001", "0.0144", "0.044998"]) expect(feeOf(fee, "True").equal).toBe(0);
  expect(feeOf("0.00864", "True", "xyz:A")).toEqual({ fills: 0, equal: 0, finerRates: 1 });
});
