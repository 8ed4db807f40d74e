import { expect, test } from "vitest";
import { parseHouseSteps } from "../../../src/product/scenario/sugar/houseSteps.ts";
import { createModel, type Model } from "../../../src/proof/model/createModel.ts";
import { emitOpened, restOrder, sideOf } from "../../../src/proof/model/orders/book.ts";
import type { Order, Side } from "../../../src/proof/model/state.ts";
import { AccountKey } from "../../../src/protocol/accountKey.ts";
import { decodePayload } from "../../../src/protocol/codec.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";
import { createGenesis, DEVELOPMENT_AUTHORITIES } from "../../../src/protocol/genesis.ts";

const NAMES = ["house", "alice"] as const;
const addressOf = (place: number) => `0x${String(place + 1).repeat(40)}` as const;

/** A model with a house and alice in one market: each flow is a block. */
class Stage {
  readonly model: Model = createModel(
    createGenesis({
      markets: [{ name: "TEST", preset: "minimal", parameters: {} }],
      accounts: NAMES.map((name, place) => {
        const role = name === "house" ? "house" : "normal";
        return { address: addressOf(place), subaccount: 0, role, balance: "1000000" };
      }),
    }),
  );
  #flows = 0;

  /** Rests an order as it is, last at its price. */
  rest(name: (typeof NAMES)[number], side: Side, lots: number, price: number, terms: Partial<Order> = {}): void {
    const { state } = this.model;
    const order: Order = {
      id: 1 + state.sequence,
      account: state.accounts[NAMES.indexOf(name)]!,
      market: state.markets[0]!,
      side,
      reduceOnly: false,
      postOnly: false,
      postOnlyMode: "no",
      clientOrderId: "",
      price: BigInt(price),
      remaining: BigInt(lots),
      filled: 0n,
      orderCost: 0n,
      goodTilHeight: 0,
      goodTilTime: 0,
      sequence: 0,
      opened: 0,
      grant: undefined,
      selfTrade: "cancelTaker",
      selfTradeScope: "account",
      ...terms,
    };
    restOrder(state, order);
    emitOpened(state, order, order.remaining);
  }

  /** Applies a flow in a block of its own, and returns its code. */
  flow(steps: string): string {
    const { state } = this.model;
    const payload = { market: "TEST", account: addressOf(0), subaccount: 0, steps: parseHouseSteps(steps) };
    const transaction = createTransaction({
      action: "houseFlow",
      account: new AccountKey(DEVELOPMENT_AUTHORITIES.operator, 0),
      nonce: this.#flows++,
      payload: decodePayload("houseFlow", payload),
    });
    const block = { height: state.height + 1, timeMs: state.timeMs + 1_000, transactions: [transaction] };
    return this.model.applyBlock(block)[0]?.code ?? "applied";
  }

  /** Orders of a side, from the front: `house 5 @ 100`. */
  queue(side: Side): string {
    return sideOf(this.model.state.markets[0]!, side)
      .map(({ account, remaining, price }) => `${NAMES[account.id]} ${remaining} @ ${price}`)
      .join(", ");
  }

  /** Events of the last flow on orders, with their lots: `orderAmended 4`. */
  events(): string[] {
    return this.model.state.emitted
      .filter(({ kind }) => kind.startsWith("order") || kind === "fill")
      .map(({ kind, fields }) => `${kind} ${fields["remaining"] ?? fields["size"]}`);
  }
}

test("ACC-2: the example of levels around an order of alice", () => {
  const stage = new Stage();
  stage.flow("level buy 5 @ 100");
  stage.rest("alice", "buy", 2, 100);
  stage.flow("level buy 8 @ 100");
  expect(stage.queue("buy")).toBe("house 5 @ 100, alice 2 @ 100, house 3 @ 100");
  stage.flow("level buy 9 @ 100");
  expect(stage.queue("buy")).toBe("house 5 @ 100, alice 2 @ 100, house 4 @ 100");
  stage.flow("ahead buy 2 @ 100");
  expect(stage.queue("buy")).toBe("house 3 @ 100, alice 2 @ 100, house 4 @ 100");
  stage.flow("level buy 2 @ 100");
  expect(stage.queue("buy")).toBe("house 2 @ 100, alice 2 @ 100");
  expect(stage.events()).toEqual(["orderCancelled 4", "orderAmended 2"]);
  stage.flow("print sell 4 @ 100");
  expect(stage.queue("buy")).toBe("");
});

test("ACC-2: a level is reduced from the back and `ahead` takes from the front", () => {
  const stage = new Stage();
  const fill = () => {
    stage.flow("clear sell");
    for (const lots of [1, 2, 3]) stage.rest("house", "sell", lots, 101);
    stage.rest("house", "sell", 9, 102);
  };
  fill();
  stage.flow("level sell 2 @ 101");
  expect(stage.queue("sell")).toBe("house 1 @ 101, house 1 @ 101, house 9 @ 102");
  expect(stage.events()).toEqual(["orderCancelled 3", "orderAmended 1"]);
  fill();
  stage.flow("ahead sell 4 @ 101");
  expect(stage.queue("sell")).toBe("house 2 @ 101, house 9 @ 102");
  expect(stage.events()).toEqual(["orderCancelled 1", "orderCancelled 2", "orderAmended 2"]);
  stage.flow("ahead sell 5 @ 101");
  expect(stage.queue("sell")).toBe("house 9 @ 102");
});

test("ACC-2: a reduce-only order of the house does not count, and nothing joins it", () => {
  const stage = new Stage();
  const { state } = stage.model;
  state.accounts[0]!.positions.set(0, { ...blankPosition(stage), signedLots: 10n });
  stage.rest("house", "sell", 4, 101, { reduceOnly: true });
  stage.flow("level sell 3 @ 101");
  expect(stage.queue("sell")).toBe("house 4 @ 101, house 3 @ 101");
  stage.flow("ahead sell 9 @ 101, level sell 0 @ 101");
  expect(stage.queue("sell")).toBe("house 4 @ 101");
});

test("ACC-2: a level that crosses trades with others, decrements the house and rests with what is left", () => {
  const stage = new Stage();
  stage.rest("alice", "sell", 2, 100);
  stage.rest("house", "sell", 3, 100);
  expect(stage.flow("level buy 9 @ 100")).toBe("applied");
  expect([stage.queue("buy"), stage.queue("sell")]).toEqual(["house 4 @ 100", ""]);
  expect(stage.events()).toEqual(["fill 2", "orderCancelled 3", "orderOpened 4"]);
});

test("ACC-2: a quote that a ladder moved is at the back, though it is the oldest", () => {
  const stage = new Stage();
  stage.rest("house", "buy", 1, 98);
  stage.rest("house", "buy", 2, 99);
  stage.flow("quote buy 2 @ 99, rest buy 5 @ 99");
  expect(stage.queue("buy")).toBe("house 2 @ 99, house 5 @ 99");
  stage.flow("level buy 3 @ 99");
  expect(stage.queue("buy")).toBe("house 2 @ 99, house 1 @ 99");
});

test("ACC-1: levels of size 0 and steps of `ahead` open no order, so they do not count among 64", () => {
  const repeat = (count: number, step: string) => Array<string>(count).fill(step);
  const codes = ["level buy 1 @ 99", "level buy 0 @ 99", "ahead buy 1 @ 99", "rest buy 0 @ 99"].map((step) =>
    new Stage().flow([...repeat(64, "quote buy 1 @ 99"), step].join(", ")),
  );
  expect(codes).toEqual(["STEPS_MALFORMED", "applied", "applied", "STEPS_MALFORMED"]);
});

test("ACC-1: levels count in the storable lots of a side with all that rests there before, `ahead` does not", () => {
  const half = "4500000000000000";
  const stage = new Stage();
  expect(stage.flow(`level buy ${half} @ 99, ahead buy 9000000000000000 @ 99`)).toBe("applied");
  expect(stage.flow(`level buy ${half} @ 99, level sell ${half} @ 100`)).toBe("applied");
  expect(stage.flow("level buy 1 @ 99")).toBe("NUMERIC_LIMIT");
  expect(stage.flow("ahead buy 1 @ 99, level buy 0 @ 99")).toBe("applied");
});

function blankPosition({ model }: Stage) {
  const { accounts, markets } = model.state;
  return {
    account: accounts[0]!,
    market: markets[0]!,
    signedLots: 0n,
    cost: 0n,
    fundingIndex: 0n,
    fundingRemainder: 0n,
    leverage: 0n,
    mode: "cross" as const,
    isolated: 0n,
    cooldownMs: 0,
    dueSince: 0,
    record: 0,
    takenOver: 0n,
  };
}
