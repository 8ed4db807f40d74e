import type { EventOf } from "../../protocol/events.ts";
import { CLOSE_KINDS } from "../../protocol/events.ts";
import { SIDE } from "../../protocol/words.ts";
import { getOrAdd } from "./getOrAdd.ts";
import type { Happening, Model, Reactions } from "./model.ts";
import { Queue } from "./queue.ts";
import { type EventPlace, placeOf } from "./walkEvents.ts";

export interface TradeRecord extends EventPlace {
  readonly market: number;
  /** 0 for a close outside the book, whose price follows from its value. */
  readonly ticks: number;
  readonly lots: number;
  /**
   * Quote units; negative if the bankruptcy price is. No account bounds a recorded trade: its value may be more than a
   * double holds.
   */
  readonly value: number | bigint;
  readonly takerSide: number;
  readonly kind: "normal" | "liquidation" | "deleveraging" | "closeOut" | "takeover" | "recorded";
  readonly liquidation: number;
  /** -1 for none, as accounts of a print. */
  readonly taker: number;
  readonly maker: number;
  readonly takerOrder: number;
  readonly makerOrder: number;
  readonly takerFee: number;
  readonly makerFee: number;
}

const CLOSES = {
  deleveraging: "deleveraging",
  closeOut: "closeOut",
  takeover: "takeover",
  previousMark: "closeOut",
} as const;

const newQueue = () => new Queue<TradeRecord>();

/** The newest trades: of every market, and of every account. */
export class Trades implements Model {
  readonly #most: number;
  readonly #sizeOf: (account: number, market: number) => number | undefined;
  readonly #all = new Queue<TradeRecord>();
  readonly #ofMarket = new Map<number, Queue<TradeRecord>>();
  readonly #ofAccount = new Map<number, Queue<TradeRecord>>();
  /** Height of the newest trade that was dropped; 0 while all are kept. */
  forgottenHeight = 0;

  /** @param sizeOf size of an account's position in a market before the event, if known */
  constructor(most: number, sizeOf: (account: number, market: number) => number | undefined) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  readonly on: Reactions = {
    fill: (event, at) => this.#addFill(event, at),
    printed: ({ market, side, price, size }, at) => {
      if (size === 0) return;
      const value = BigInt(price) * BigInt(size) * BigInt(at.state.parameters[market]!.tickLotValue);
      const none = { liquidation: 0, taker: -1, maker: -1, takerOrder: 0, makerOrder: 0, takerFee: 0, makerFee: 0 };
      this.#add({
        ...placeOf(at),
        market,
        ticks: price,
        lots: size,
        value,
        takerSide: side,
        kind: "recorded",
        ...none,
      });
    },
    deleveraged: ({ liquidation, way, market, account, counterparty, size, value }, at) => {
      const sells = (this.#sizeOf(account, market) ?? value) > 0;
      this.#add({
        ...placeOf(at),
        market,
        ticks: 0,
        lots: size,
        value: sells ? value : 0 - value,
        takerSide: sells ? SIDE.sell : SIDE.buy,
        kind: CLOSES[CLOSE_KINDS[way]!],
        liquidation,
        taker: account,
        maker: counterparty,
        takerOrder: 0,
        makerOrder: 0,
        takerFee: 0,
        makerFee: 0,
      });
    },
  };

  ofMarket(market: number): Queue<TradeRecord> {
    return this.#ofMarket.get(market) ?? new Queue();
  }

  ofAccount(account: number): Queue<TradeRecord> {
    return this.#ofAccount.get(account) ?? new Queue();
  }

  #addFill(event: EventOf<"fill">, at: Happening): void {
    this.#add({
      ...placeOf(at),
      market: event.market,
      ticks: event.price,
      lots: event.size,
      value: event.value,
      takerSide: event.takerSide,
      kind: event.liquidation === 0 ? "normal" : "liquidation",
      liquidation: event.liquidation,
      taker: event.takerAccount,
      maker: event.makerAccount,
      takerOrder: event.takerOrder,
      makerOrder: event.makerOrder,
      takerFee: event.takerFee,
      makerFee: event.makerFee,
    });
  }

  #add(trade: TradeRecord): void {
    const { market, taker, maker } = trade;
    this.#all.push(trade);
    getOrAdd(this.#ofMarket, market, newQueue).push(trade);
    if (taker >= 0) getOrAdd(this.#ofAccount, taker, newQueue).push(trade);
    if (maker >= 0 && maker !== taker) getOrAdd(this.#ofAccount, maker, newQueue).push(trade);
    if (this.#all.length > this.#most) this.#forget(this.#all.shift()!);
  }

  /** The oldest trade of all is also the oldest of its lists. */
  #forget({ height, market, taker, maker }: TradeRecord): void {
    this.forgottenHeight = height;
    this.#ofMarket.get(market)!.shift();
    if (taker >= 0) this.#ofAccount.get(taker)!.shift();
    if (maker >= 0 && maker !== taker) this.#ofAccount.get(maker)!.shift();
  }
}
