import { expect, test } from "vitest";
import { readDecimal, writeDecimal } from "../../../src/proof/model/arithmetic.ts";
import { createModel, type Model } from "../../../src/proof/model/createModel.ts";
import { feeOf, makerFeeOf } from "../../../src/proof/model/fees/fees.ts";
import { freeOf, requiredOf } from "../../../src/proof/model/margin/health.ts";
import { initialOf, maintenanceOf, notionalAt, valueAt } from "../../../src/proof/model/margin/valuation.ts";
import { bandOf } from "../../../src/proof/model/orders/book.ts";
import { orderCostOf } from "../../../src/proof/model/orders/orderCost.ts";
import { computeFill } from "../../../src/proof/model/positions/computeFill.ts";
import type { Market } from "../../../src/proof/model/state.ts";
import { AccountKey } from "../../../src/protocol/accountKey.ts";
import { decodePayload } from "../../../src/protocol/codec.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";
import { createGenesis } from "../../../src/protocol/genesis.ts";
import type { ParameterTexts } from "../../../src/protocol/parameters.ts";

const address = "0x00000000000000000000000000000000000000aa";
const usd = (text: string) => readDecimal(text, 6) ?? 0n;
const price = (text: string) => readDecimal(text, 8) ?? 0n;

/** A model with one market at a mark, and one account. */
function open(preset: string, mark: string, parameters: ParameterTexts = {}): { model: Model; market: Market } {
  const model = createModel(
    createGenesis({
      markets: [{ name: "TEST", preset, parameters }],
      accounts: [{ address, subaccount: 0, role: "normal", balance: "1000" }],
    }),
  );
  const market = model.state.markets[0]!;
  market.mark = price(mark);
  return { model, market };
}

// The worked examples of docs/spec, computed by the model; the venue's formulas are compared with them elsewhere.

test("POS-2: the effect of a fill on a position", () => {
  // Two bought for 204, in dollars.
  const long = { signedLots: 2n, cost: 204n };
  expect(computeFill(long, -1n, -110n)).toEqual({ signedLots: 1n, cost: 102n, realized: 8n });
  expect(computeFill(long, -2n, -220n)).toEqual({ signedLots: 0n, cost: 0n, realized: 16n });
  expect(computeFill(long, -5n, -550n)).toEqual({ signedLots: -3n, cost: -330n, realized: 16n });
  expect(computeFill({ signedLots: 1n, cost: 100n }, 2n, 206n)).toEqual({ signedLots: 3n, cost: 306n, realized: 0n });
  // Released cost is rounded toward zero, for longs and shorts.
  expect(computeFill({ signedLots: 3n, cost: 100n }, -1n, -40n).cost).toBe(67n);
  expect(computeFill({ signedLots: -3n, cost: -100n }, 1n, 40n).cost).toBe(-67n);
});

test("NUM-2, POS-3: values at the mark round down, notionals up", () => {
  const { market } = open("minimal", "1.5", { lotSize: "0.000001", minSize: "0.000001" });
  expect(notionalAt(market, 1n, market.mark)).toBe(2n);
  expect([valueAt(market, 1n, market.mark), valueAt(market, -1n, market.mark)]).toEqual([1n, -2n]);
});

test("MRG-1: tiers, leverage and the rate by open interest", () => {
  const { market } = open("linear", "100000");
  const lots = (size: number) => BigInt(size * 10_000);
  expect([initialOf(market, lots(1), 0n), maintenanceOf(market, lots(1))]).toEqual([usd("2500"), usd("1250")]);
  expect(initialOf(market, lots(1), 4n)).toBe(usd("25000"));
  expect(maintenanceOf(market, lots(2500))).toBe(usd("4375000"));
  market.openInterestRate = 550_000n;
  expect(initialOf(market, lots(1), 4n)).toBe(usd("55000"));
});

test("MRG-3: order cost, and the worse side", () => {
  const { model, market } = open("minimal", "100");
  const account = model.state.accounts[0]!;
  const sellOrderCost = orderCostOf(model.state, account, market, "sell", 500n, 85n);
  expect(sellOrderCost).toBe(usd("75"));
  const exposure = {
    market,
    signedLots: 1000n,
    cost: usd("1000"),
    owed: 0n,
    leverage: 0n,
    buys: 0n,
    sells: 500n,
    buyOrderCost: 0n,
    sellOrderCost,
    ordersOnly: false,
  };
  expect(requiredOf(exposure)).toBe(usd("125"));
});

test("MRG-5: collateral that is free to leave", () => {
  const marginAccount = { collateral: usd("1000"), losses: -usd("100"), required: usd("250"), notional: usd("1000") };
  const rest = { equity: 0n, maintenance: 0n, initial: 0n, widest: 0n };
  expect(freeOf({ ...rest, ...marginAccount })).toBe(usd("650"));
  expect(freeOf({ ...rest, ...marginAccount, notional: usd("10000") })).toBe(-usd("100"));
});

test("ORD-7: fees round up, rebates down and never beyond the taker's fee", () => {
  expect([feeOf(usd("1000"), 450n), makerFeeOf(usd("1000"), 150n, usd("0.45"))]).toEqual([usd("0.45"), usd("0.15")]);
  expect([feeOf(1n, 450n), makerFeeOf(1n, 150n, 1n)]).toEqual([1n, 1n]);
  expect(makerFeeOf(4_999n, -200n, feeOf(4_999n, 500n))).toBe(0n);
  expect(makerFeeOf(usd("1000"), -200n, 7n)).toBe(-7n);
});

test("ORD-5: the band is rounded inwards", () => {
  const { market } = open("linear", "100");
  market.oracle = price("100");
  market.index = price("101");
  expect(bandOf(market)).toEqual({ low: price("80"), high: price("121.2") });
});

test("NON-2: nonces in sequence, and in a window", () => {
  const codes = (trading: string, nonces: readonly number[]) => {
    const accounts = [{ address, subaccount: 0, role: "normal", balance: "5" }] as const;
    const model = createModel(createGenesis({ accounts, nonces: { trading } }));
    const transactions = nonces.map((nonce) =>
      createTransaction({
        action: "noop",
        account: new AccountKey(address, 0),
        nonce,
        payload: decodePayload("noop", {}),
      }),
    );
    return model.applyBlock({ height: 1, timeMs: 1, transactions }).map(({ code }) => code ?? "applied");
  };
  expect(codes("sequential", [0, 0, 2, 1])).toEqual(["applied", "NONCE_TOO_LOW", "NONCE_GAP", "applied"]);
  expect(codes("window:3", [3, 2, 0, 2, 5, 4, 1])).toEqual([
    "NONCE_GAP",
    "applied",
    "applied",
    "NONCE_USED",
    "applied",
    "applied",
    "NONCE_TOO_LOW",
  ]);
});

test("VAL: heights in which a transaction may commit", () => {
  const { model } = open("minimal", "100");
  const noop = (validFrom: number, validUntil: number) =>
    createTransaction({
      action: "noop",
      account: new AccountKey(address, 0),
      nonce: 0,
      validFrom,
      validUntil,
      payload: decodePayload("noop", {}),
    });
  const transactions = [noop(2, 3), noop(0, 0), noop(0, 1201), noop(1, 1)];
  const receipts = model.applyBlock({ height: 1, timeMs: 1, transactions });
  expect(receipts.map(({ code }) => code ?? "applied")).toEqual([
    "NOT_YET_VALID",
    "EXPIRED",
    "VALIDITY_TOO_LONG",
    "applied",
  ]);
});

test("NUM-5: decimal text has exactly one form", () => {
  expect([readDecimal("60000.5", 8), writeDecimal(-50n, 2)]).toEqual([6_000_050_000_000n, "-0.5"]);
  for (const text of ["1.0", "01", ".5", "1.", "-0", "+1", "1e3", " 1", "", "0.123456789"])
    expect(readDecimal(text, 8), text).toBeUndefined();
});
