/**
 * A venue with many accounts, for benches of what grows with accounts: three markets, an oracle mark, accounts with one
 * or two positions each at 1x to 20x, a resting order for every tenth, and ten accounts that stay close to liquidation.
 * Accounts come by deposits, as they do in a venue that runs.
 *
 * Blocks then move the marks of the first two markets to and fro, so that each of the ten accounts is checked in every
 * risk pass without ever being due, and let ten others, picked at random, trade with each other in the third market.
 */
import { NONE } from "../../src/ground/collections/table.ts";
import { Random } from "../../src/ground/math/random.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import { createGenesis, type Genesis } from "../../src/protocol/genesis.ts";
import type { Block, Transaction } from "../../src/protocol/transaction.ts";
import { applyBlock } from "../../src/venue/engine/applyBlock.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import { findAccount } from "../../src/venue/engine/state/accounts.ts";
import type { PositionRow } from "../../src/venue/engine/state/schema.ts";
import type { State } from "../../src/venue/engine/state/state.ts";
import { accountKeyOf } from "./venueFlow.ts";

const START = 60_000;
/**
 * Ten accounts, long 1 BTC in each of the first two markets, that this much collateral leaves close to liquidation …
 */
export const NEAR = 10;
const NEAR_COLLATERAL = 3_100;
/** … with both marks here: equity is then about 40 USD above maintenance. */
const NEAR_MARK = 59_219;
/**
 * How far the two marks are from it, in opposite directions: more than half of those 40 USD, so that each move reaches
 * a trigger.
 */
const SWING = 25;
export const TOUCHED = 10;
const SETUP_BLOCK = 5_000;
const UNITS = 1e6;
const USD = 1e8;
const VALID_UNTIL = 1_000_000;
const LOTS_PER_COIN = 10_000;

export interface CrowdOptions {
  readonly accounts: number;
  /** Every account has a position in the third market; with 2, also one in the first or the second. */
  readonly positionsEach: 1 | 2;
}

export class Crowd {
  readonly state: State;
  private readonly random: Random;
  private readonly genesis: Genesis;
  private readonly keys: AccountKey[];
  private readonly nonces: Float64Array;
  private readonly authorityNonces = { oracle: 0, operator: 0 };
  private readonly names = ["A-PERP", "B-PERP", "C-PERP"];
  private height = 0;
  private swing = SWING;

  constructor({ accounts, positionsEach }: CrowdOptions) {
    this.random = new Random([accounts, positionsEach, 5, 6]);
    this.genesis = createGenesis({
      markets: this.names.map((name) => ({
        name,
        preset: "linear",
        parameters: { markMethod: "oracle", fundingMethod: "reported" },
      })),
      insurance: "100000000",
      validityMax: VALID_UNTIL,
    });
    this.keys = Array.from({ length: accounts }, (_, index) => accountKeyOf(index));
    this.nonces = new Float64Array(accounts);
    this.state = createVenue(this.genesis);
    this.fill(positionsEach);
  }

  /** Ten accounts near liquidation, ten that trade, as at the top of this file. */
  makeBlocks(count: number): Block[] {
    return Array.from({ length: count }, () => {
      this.swing = -this.swing;
      const list = this.moveMarks([NEAR_MARK + this.swing, NEAR_MARK - this.swing, START]);
      for (const [seller, buyer] of this.pickPairs()) {
        list.push(this.place(seller, 2, 1, START, 10), this.place(buyer, 2, 0, START, 10));
      }
      return this.seal(list);
    });
  }

  /** Nothing but new oracle prices, in whole USD. */
  makePriceBlock(prices: readonly number[]): Block {
    return this.seal(this.moveMarks(prices));
  }

  /** A block that pays a funding rate (1e-9) in one market. */
  makeFundingBlock(market: number, rate: number): Block {
    return this.seal([this.oracle(market, 0, rate)]);
  }

  /** A block that deposits enough for the ten to be near liquidation no more. */
  makeRescueBlock(): Block {
    return this.seal(this.keys.slice(0, NEAR).map(({ address }) => this.deposit(address, 100_000)));
  }

  /** Applies what must not be refused: setting up, where a refusal is a fault of the bench. */
  apply(block: Block): void {
    const { receipts } = applyBlock(this.state, block);
    for (let at = 0; at < receipts.count; at++) {
      if (receipts.codes[at] !== 0) throw new Error(`block ${block.height}: transaction ${at}: ${receipts.codes[at]}`);
    }
  }

  /** Triggers of the accounts near liquidation, which a look at them moves. */
  nearTriggers(): number[] {
    const { accounts, positions } = this.state;
    const triggers: number[] = [];
    for (const key of this.keys.slice(0, NEAR)) {
      const row = findAccount(this.state, key);
      let sum = 0;
      for (let at: PositionRow = accounts.position[row]!; at !== NONE; at = positions.next[at]!) {
        if (positions.signedLots[at] !== 0) sum += positions.trigger[at]! * (positions.market[at]! + 1);
      }
      triggers.push(sum);
    }
    return triggers;
  }

  private fill(positionsEach: number): void {
    const { keys, random } = this;
    const trades: Transaction[] = [];
    const rests: Transaction[] = [];
    const collateral = new Float64Array(keys.length);
    // The last two take the other side of those near liquidation.
    const rich = keys.length - 2;
    collateral.fill(NEAR_COLLATERAL, 0, NEAR);
    collateral.fill(10_000_000, rich);
    for (let near = 0; near < NEAR; near++) {
      for (let market = 0; market < 2; market++) {
        trades.push(this.place(near, market, 0, START, LOTS_PER_COIN));
        trades.push(this.place(rich + market, market, 1, START, LOTS_PER_COIN));
      }
    }
    for (let first = NEAR; first < rich; first += 2) {
      const lots = random.between(100, LOTS_PER_COIN);
      const notional = (lots / LOTS_PER_COIN) * START * positionsEach;
      for (let member = 0; member < 2; member++) {
        collateral[first + member] = 200 + Math.ceil((notional * 1.02) / random.between(1, 20));
      }
      const side = random.below(2);
      for (const market of positionsEach === 2 ? [2, random.below(2)] : [2]) {
        trades.push(this.place(first, market, side, START, lots));
        trades.push(this.place(first + 1, market, 1 - side, START, lots));
      }
      if (first % 10 === 0) rests.push(this.place(first, random.below(3), 0, random.between(50_000, 57_000), 10));
    }
    const deposits = keys.map(({ address }, index) => this.deposit(address, collateral[index]!));
    for (const list of [deposits, this.moveMarks([START, START, START]), trades, rests]) {
      for (let from = 0; from < list.length; from += SETUP_BLOCK) {
        this.apply(this.seal(list.slice(from, from + SETUP_BLOCK)));
      }
    }
    // A mark moves one percent a block at most.
    for (const price of [59_500, NEAR_MARK]) this.apply(this.makePriceBlock([price, price, START]));
  }

  private pickPairs(): [number, number][] {
    const picked = new Set<number>();
    while (picked.size < TOUCHED) picked.add(NEAR + this.random.below(this.keys.length - NEAR - 2));
    const list = [...picked];
    return Array.from({ length: TOUCHED / 2 }, (_, pair) => [list[pair * 2]!, list[pair * 2 + 1]!]);
  }

  private moveMarks(prices: readonly number[]): Transaction[] {
    return prices.map((price, market) => this.oracle(market, price));
  }

  private oracle(market: number, price: number, rate?: number): Transaction {
    return this.system("oracle", "oracleUpdate", {
      market: this.names[market],
      sources: [],
      price: price * USD,
      mark: 0,
      fundingRate: rate ?? 0,
      settleFunding: rate !== undefined,
    });
  }

  private deposit(to: string, usd: number): Transaction {
    return this.system("operator", "deposit", { to, toSubaccount: 0, amount: usd * UNITS, reference: "" });
  }

  private system(
    authority: "oracle" | "operator",
    action: "oracleUpdate" | "deposit",
    payload: Readonly<Record<string, unknown>>,
  ): Transaction {
    return createTransaction({
      action,
      account: new AccountKey(this.genesis.authorities[authority], 0),
      nonce: this.authorityNonces[authority]++,
      payload: payload as never,
      validUntil: VALID_UNTIL,
    });
  }

  private place(account: number, market: number, side: number, price: number, lots: number): Transaction {
    const payload = {
      market: this.names[market],
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
    return createTransaction({
      action: "placeOrder",
      account: this.keys[account]!,
      nonce: this.nonces[account]!++,
      payload: payload as never,
      validUntil: VALID_UNTIL,
    });
  }

  private seal(transactions: Transaction[]): Block {
    this.height++;
    return { height: this.height, timeMs: this.height * 1000, transactions };
  }
}
