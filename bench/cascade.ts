/**
 * A cascade: ten thousand accounts that fall below maintenance at once are liquidated through the book in one block.
 *
 *     npm run bench -- cascade            node bench/cascade.ts [--small] [--json] [--record]
 *
 * Each account is long one market with a position of its own size; bids lie below the bankruptcy prices of none of
 * them, so every position is closed in the book, at a fee. For comparison the same crowd with an empty book and no
 * fund: every position is deleveraged against the other side.
 */

import { Random } from "../src/ground/math/random.ts";
import { AccountKey } from "../src/protocol/accountKey.ts";
import { createTransaction } from "../src/protocol/createTransaction.ts";
import { createGenesis, type Genesis } from "../src/protocol/genesis.ts";
import type { Transaction } from "../src/protocol/transaction.ts";
import { applyBlock } from "../src/venue/engine/applyBlock.ts";
import { createVenue } from "../src/venue/engine/genesis.ts";
import { forkState } from "../src/venue/engine/state/forkState.ts";
import type { State } from "../src/venue/engine/state/state.ts";
import { cpuSeconds, type Figure, median, report } from "./lib/measure.ts";
import { accountKeyOf } from "./lib/venueFlow.ts";

const small = process.argv.includes("--small");
const COUNT = small ? 200 : 10_000;
const ROUNDS = small ? 1 : 9;
const WARM_UP = small ? 0 : 3;
const START = 60_000;
const CRASH = 58_400;
const USD = 1e8;
const VALID_UNTIL = 1_000_000;
const SETUP_BLOCK = 5_000;

class Cascade {
  readonly state: State;
  readonly genesis: Genesis;
  readonly #nonces = new Map<string, number>();

  constructor() {
    this.genesis = createGenesis({
      markets: [
        {
          name: "A-PERP",
          preset: "linear",
          parameters: { markMethod: "reported", fundingMethod: "reported", priceBand: "1" },
        },
      ],
      validityMax: VALID_UNTIL,
      insurance: "0",
    });
    this.state = createVenue(this.genesis);
    const random = new Random([1, 2, 3]);
    const lots = Array.from({ length: COUNT }, () => random.between(20, 400));
    const total = lots.reduce((sum, size) => sum + size, 0);
    const keys = Array.from({ length: COUNT + 2 }, (_, place) => accountKeyOf(place));
    // 40x: maintenance is 1.25 % of the notional; 2.667 % lower, 0.1 % of equity is left.
    const deposits = keys.map((key, place) => {
      const cents = place < COUNT ? lots[place]! * START * 2.75 * 1e-4 : 1e11;
      const amount = Math.round(cents * 1e4);
      return this.#system("operator", "deposit", { to: key.address, toSubaccount: 0, amount, reference: "" });
    });
    this.#apply(deposits);
    this.#apply([this.price(START)]);
    const trades = lots.flatMap((size, place) => [
      this.#place(keys[COUNT]!, 1, START, size),
      this.#place(keys[place]!, 0, START, size),
    ]);
    this.#apply(trades);
    this.bids = Array.from({ length: 20 }, (_, level) =>
      this.#place(keys[COUNT + 1]!, 0, CRASH - level, Math.ceil(total / 10)),
    );
  }

  readonly bids: Transaction[];

  price(usd: number): Transaction {
    return this.#system("oracle", "oracleUpdate", {
      market: "A-PERP",
      sources: [],
      price: usd * USD,
      mark: usd * USD,
      fundingRate: 0,
      settleFunding: false,
    });
  }

  #apply(list: readonly Transaction[]): void {
    for (let from = 0; from < list.length; from += SETUP_BLOCK) {
      advance(this.state, list.slice(from, from + SETUP_BLOCK));
    }
  }

  #nonce(lane: string): number {
    const next = this.#nonces.get(lane) ?? 0;
    this.#nonces.set(lane, next + 1);
    return next;
  }

  #system(who: "oracle" | "operator", action: "oracleUpdate" | "deposit", payload: object): Transaction {
    const account = new AccountKey(this.genesis.authorities[who], 0);
    return createTransaction({
      action,
      account,
      nonce: this.#nonce(who),
      payload: payload as never,
      validUntil: VALID_UNTIL,
    });
  }

  #place(account: AccountKey, side: number, price: number, lots: number): Transaction {
    const payload = {
      market: "A-PERP",
      side,
      orderType: 0,
      size: lots * 1e4,
      price: price * USD,
      slippage: 0,
      timeInForce: 0,
      goodTilHeight: 0,
      goodTilTime: 0,
      postOnly: 0,
      reduceOnly: false,
      selfTrade: 1,
      selfTradeScope: 0,
      clientOrderId: "",
    };
    const nonce = this.#nonce(account.address);
    return createTransaction({
      action: "placeOrder",
      account,
      nonce,
      payload: payload as never,
      validUntil: VALID_UNTIL,
    });
  }
}

function advance(state: State, transactions: readonly Transaction[]): void {
  const { receipts } = applyBlock(state, { height: state.height + 1, timeMs: state.timeMs + 1000, transactions });
  for (let at = 0; at < receipts.count; at++) {
    if (receipts.codes[at] !== 0) throw new Error(`block ${state.height}: transaction ${at}: ${receipts.code(at)}`);
  }
}

/** Milliseconds of the block in which all accounts are liquidated. */
function measureCrash(before: State, crash: Transaction): number {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const state = forkState(before);
    const block = { height: state.height + 1, timeMs: state.timeMs + 1000, transactions: [crash] };
    const seconds = cpuSeconds(() => applyBlock(state, block));
    if (round >= WARM_UP) costs.push(seconds * 1e3);
    let open = 0;
    for (let row = 0; row < state.positions.rows.high; row++) {
      if (state.positions.rows.isLive(row) && (state.positions.signedLots[row as never] as number) > 0) open++;
    }
    // Only who bought from them is long now.
    if (open > 1) throw new Error(`${open} accounts are long after the crash`);
  }
  return median(costs);
}

const figures: Figure[] = [];
const cascade = new Cascade();
const bare = forkState(cascade.state);
advance(cascade.state, cascade.bids);
const crash = cascade.price(CRASH);
const count = COUNT.toLocaleString("en");
figures.push({
  name: `${count} accounts liquidated through the book in one block`,
  value: measureCrash(cascade.state, crash),
  unit: "ms",
  target: "<= 80",
});
// 3 % lower no account has equity left, and the book has no bids.
const gone = {
  ...crash,
  payload: { ...(crash.payload as object), price: 58_200 * USD, mark: 58_200 * USD },
} as Transaction;
figures.push({
  name: `${count} accounts deleveraged against one in one block`,
  value: measureCrash(bare, gone),
  unit: "ms",
});
report("cascade", figures);
