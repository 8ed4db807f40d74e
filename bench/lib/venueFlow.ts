/**
 * A seeded flow of transactions for the venue benches: every user action, limit orders around a moving price, cancels
 * of recent orders, takers, and an oracle update of every market in each block. Made before anything is timed.
 */
import { Random } from "../../src/ground/math/random.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import type { ActionName } from "../../src/protocol/actions/index.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import type { Address } from "../../src/protocol/fields.ts";
import { createGenesis, type Genesis } from "../../src/protocol/genesis.ts";
import type { Block, Transaction } from "../../src/protocol/transaction.ts";

export interface FlowOptions {
  readonly seed: number;
  readonly accounts: number;
  readonly markets: number;
  readonly blockSize: number;
}

export interface Flow {
  readonly genesis: Genesis;
  /** The next blocks, freshly made: as a driver would hand them over, not cold from memory. */
  next(count: number): Block[];
}

export function accountKeyOf(index: number): AccountKey {
  return new AccountKey(`0x${(index + 0x1000).toString(16).padStart(40, "0")}` as Address, 0);
}

const START = 60_000;

export function createFlow(options: FlowOptions): Flow {
  const random = new Random([options.seed, 1, 2, 3]);
  const keys = Array.from({ length: options.accounts }, (_, index) => accountKeyOf(index));
  const names = Array.from({ length: options.markets }, (_, index) => `M${index}-PERP`);
  const genesis = createGenesis({
    markets: names.map((name) => ({ name, preset: "linear", parameters: {} })),
    accounts: keys.map(({ address }) => ({ address, subaccount: 0, role: "normal", balance: "1000000" })),
    insurance: "100000000",
    validityMax: 1_000_000,
  });
  const oracle = new AccountKey(genesis.authorities.oracle, 0);
  const nonces = keys.map(() => ({ trading: 0, risk: 0, funds: 0 }));
  const prices = names.map(() => START);
  const recent: { id: number; account: number }[] = [];
  let oracleNonce = 0;
  let consumed = 1;

  const make = (
    account: number,
    action: ActionName,
    payload: object,
    domain: "trading" | "risk" | "funds",
  ): Transaction =>
    createTransaction({
      action,
      account: keys[account]!,
      nonce: nonces[account]![domain]++,
      payload: payload as never,
      validUntil: 1_000_000,
      ...(action === "noop" ? { nonceDomain: domain } : {}),
    });

  const user = (): Transaction => {
    const account = random.below(keys.length);
    const market = random.below(names.length);
    const kind = random.below(100);
    const id = consumed * 64;
    const mid = prices[market]!;
    if (kind < 55 || recent.length === 0) {
      const side = random.below(2);
      const distance = 1 + random.below(40);
      recent.push({ id, account });
      return make(
        account,
        "placeOrder",
        order(names[market]!, side, side === 0 ? mid - distance : mid + distance, 1 + random.below(100), 0),
        "trading",
      );
    }
    if (kind < 63) {
      const side = random.below(2);
      return make(
        account,
        "placeOrder",
        order(names[market]!, side, side === 0 ? mid + 60 : mid - 60, 1 + random.below(200), 1),
        "trading",
      );
    }
    if (kind < 92) {
      const place = random.below(Math.min(recent.length, 2000));
      const [picked] = recent.splice(recent.length - 1 - place, 1);
      return make(picked!.account, "cancelOrder", { orderId: picked!.id, clientOrderId: "" }, "trading");
    }
    if (kind < 95) {
      const picked = recent[recent.length - 1 - random.below(Math.min(recent.length, 500))]!;
      return make(
        picked.account,
        "amendOrder",
        {
          orderId: picked.id,
          clientOrderId: "",
          size: (1 + random.below(50)) * 1e4,
          price: 0,
          goodTilHeight: 0,
          goodTilTime: 0,
        },
        "trading",
      );
    }
    if (kind < 96) return make(account, "cancelAll", { market: names[market]! }, "risk");
    if (kind < 97)
      return make(
        account,
        "closePosition",
        { market: names[market]!, size: 0, price: 0, slippage: 5e6, clientOrderId: "" },
        "risk",
      );
    if (kind < 98)
      return make(account, "setLeverage", { market: names[market]!, leverage: 5 + random.below(30) }, "risk");
    if (kind < 99)
      return make(
        account,
        "transfer",
        { to: keys[random.below(keys.length)]!.address, toSubaccount: 0, amount: 1e6 * (1 + random.below(100)) },
        "funds",
      );
    return random.chance(1, 2)
      ? make(account, "withdraw", { amount: 1e6 }, "funds")
      : make(account, "noop", {}, "trading");
  };

  let height = 0;
  const next = (count: number): Block[] => {
    const blocks: Block[] = [];
    while (blocks.length < count) {
      height++;
      const list: Transaction[] = names.map((market, place) => {
        prices[place]! += random.between(-12, 12);
        const payload = {
          market,
          sources: [],
          price: prices[place]! * 1e8,
          mark: 0,
          fundingRate: 0,
          settleFunding: false,
        };
        consumed++;
        return createTransaction({
          action: "oracleUpdate",
          account: oracle,
          nonce: oracleNonce++,
          payload: payload as never,
          validUntil: 1_000_000,
        });
      });
      for (let place = 0; place < options.blockSize; place++) {
        list.push(user());
        consumed++;
      }
      if (recent.length > 20_000) recent.splice(0, 10_000);
      blocks.push({ height, timeMs: height * 1000, transactions: list });
    }
    return blocks;
  };
  return { genesis, next };
}

function order(market: string, side: number, price: number, lots: number, timeInForce: number): object {
  return {
    market,
    side,
    orderType: 0,
    size: lots * 1e4,
    price: price * 1e8,
    slippage: 0,
    timeInForce,
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: 0,
    reduceOnly: false,
    selfTrade: 1,
    selfTradeScope: 0,
    clientOrderId: "",
  };
}
