import type { PrivateKey } from "../../client/signing/sign.ts";
import { NONE } from "../../ground/collections/table.ts";
import { Random } from "../../ground/math/random.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { MarketRow } from "../../venue/engine/state/schema.ts";
import { getPosition } from "../../venue/engine/state/state.ts";
import { formatLots, formatPrice } from "../../venue/formulas/text.ts";
import type { VenueHost } from "../host/host.ts";
import { operatorTransaction, readPayload } from "./operatorTransactions.ts";
import { UserSigner } from "./userSigner.ts";

export interface MakersOptions {
  /** Number of bots, 0 to 10. Default: 1. */
  readonly count?: number;
  /** Seed of sizes and distances. Default: 1. */
  readonly seed?: number;
}

/** Bots that quote in every market around its index, so that every client finds a counterparty. */
export interface Makers {
  /** Funds them and starts quoting. */
  start(): Promise<void>;
  stop(): void;
  /**
   * Moves the quotes of a market to a price that `set` sets: the old quotes are cancelled in an earlier block, and the
   * new ones are in the block of `set`. So nothing fills at old quotes, and a liquidation finds the new ones.
   *
   * @param price   that becomes the index, 1e-8 USD
   * @param set     submits the transaction that sets it
   */
  moveTo<Result>(market: MarketRow, price: number, set: () => Promise<Result>): Promise<Result>;
}

/** The bots that quote in a venue at present. */
const running = new WeakMap<VenueHost, Makers>();

/** The bots that quote in a venue; undefined if there are none. */
export function findMakers(host: VenueHost): Makers | undefined {
  return running.get(host);
}

export const MAKERS_MOST = 10;
/** Collateral of each of them, USD. */
const COLLATERAL = "10000000";
const LEVELS = 5;
/** Shares of the index: nearest quote, distance between two, and how far the index moves before they follow. */
const NEAREST = 0.0002;
const STEP = 0.0003;
const TOLERANCE = 0.0002;
/** Value of a quote, USD. */
const VALUE = 10_000;
/** Value of a position that moves both sides by `LEAN`, a share of the index. */
const LEAN_VALUE = 1_000_000;
const LEAN = 0.001;

/**
 * Quotes are a function of the seed, the index and the maker's holdings, and are renewed when one of these changes. The
 * same blocks therefore have the same quotes. A maker reacts to a block in the next one, by signed transactions.
 */
export function createMakers(host: VenueHost, { count = 1, seed = 1 }: MakersOptions = {}): Makers {
  const makers = Array.from({ length: Math.min(count, MAKERS_MOST) }, (_, number) => new Maker(host, seed, number));
  const look = () => {
    for (const maker of makers) maker.look();
  };
  let ends: (() => void)[] = [];
  const bots: Makers = {
    async start() {
      for (const maker of makers) await maker.fund();
      if (makers.length === 0) return;
      const forget = () => {
        for (const maker of makers) maker.forget();
      };
      ends = [host.onBlock(look), host.onEpoch(forget)];
      running.set(host, bots);
      look();
    },
    stop() {
      running.delete(host);
      for (const end of ends.splice(0)) end();
    },
    async moveTo(market, price, set) {
      try {
        for (let blocks = 0; blocks < BLOCKS_MOST && makers.some((maker) => maker.isBusy()); blocks++)
          await host.mine();
        await Promise.all(makers.map((maker) => maker.withdraw(market)));
        for (let blocks = 0; blocks < BLOCKS_MOST && makers.some((maker) => maker.isBusy()); blocks++)
          await host.mine();
        // Before `set`, which makes the block with both.
        for (const maker of makers) maker.quoteAt(market, price);
        return await set();
      } finally {
        for (const maker of makers) maker.resume(market);
        look();
      }
    },
  };
  return bots;
}

/** Most blocks to make until the makers' transactions are in one. */
const BLOCKS_MOST = 100;

/** State that a maker's present quotes are based on. */
interface Quoted {
  readonly index: number;
  /** Of position and resting orders; undefined until the block with the quotes. */
  held: string | undefined;
}

class Maker {
  readonly #host: VenueHost;
  readonly #signer: UserSigner;
  readonly #seed: number;
  readonly #number: number;
  readonly #quoted = new Map<MarketRow, Quoted>();
  /** Markets in which it has withdrawn its quotes, until it resumes. */
  readonly #withdrawn = new Set<MarketRow>();

  constructor(host: VenueHost, seed: number, number: number) {
    this.#host = host;
    this.#signer = new UserSigner(host, keyOfMaker(number));
    this.#seed = seed;
    this.#number = number;
  }

  async fund(): Promise<void> {
    const { account } = this.#signer;
    if (findAccount(this.#host.state, account) !== NONE) return;
    await operatorTransaction(
      this.#host,
      "devnetSet",
      readPayload("devnetSet", { what: "collateral", account: this.#signer.address, amount: COLLATERAL }),
    );
  }

  forget(): void {
    this.#quoted.clear();
  }

  isBusy(): boolean {
    return this.#signer.isBusy();
  }

  /** Cancels its quotes, and places none until it resumes. */
  async withdraw(market: MarketRow): Promise<void> {
    this.#withdrawn.add(market);
    if (this.#held(market).orders === 0) return;
    await this.#signer.send("cancelAll", readPayload("cancelAll", { market: this.#host.state.marketNames[market]! }));
  }

  /** Quotes as if the index were at the price already. */
  quoteAt(market: MarketRow, price: number): void {
    const { signedLots, orders } = this.#held(market);
    this.#quoted.set(market, { index: price, held: undefined });
    this.#quote(market, price, signedLots, orders > 0);
  }

  resume(market: MarketRow): void {
    this.#withdrawn.delete(market);
  }

  look(): void {
    if (this.#signer.isBusy()) return;
    for (const market of this.#host.state.marketNames.keys()) this.#lookAt(market as MarketRow);
  }

  #lookAt(market: MarketRow): void {
    const { state } = this.#host;
    const index = state.markets.index[market]!;
    if (index === 0 || this.#withdrawn.has(market)) return;
    const quoted = this.#quoted.get(market);
    const held = this.#held(market);
    if (quoted !== undefined) {
      quoted.held ??= held.text;
      const isSame = quoted.held === held.text && Math.abs(index - quoted.index) <= quoted.index * TOLERANCE;
      if (isSame) return;
    }
    this.#quoted.set(market, { index, held: undefined });
    this.#quote(market, index, held.signedLots, held.orders > 0);
  }

  #held(market: MarketRow) {
    const { state } = this.#host;
    const account = findAccount(state, this.#signer.account);
    const row = account === NONE ? NONE : getPosition(state, account, market);
    if (row === NONE) return { signedLots: 0, orders: 0, text: "" };
    const { signedLots, buys, sells, orderCount } = state.positions;
    const values = [signedLots[row]!, buys[row]!, sells[row]!, orderCount[row]!];
    return { signedLots: signedLots[row]! as number, orders: orderCount[row]!, text: values.join() };
  }

  #quote(market: MarketRow, index: number, lots: number, hasOrders: boolean): void {
    const { state } = this.#host;
    const name = state.marketNames[market]!;
    const rules = state.parameters[market]!;
    if (hasOrders) void this.#signer.send("cancelAll", readPayload("cancelAll", { market: name }));
    const orders = this.#quotesOf(market, rules, index, lots).map((order) => ({
      market: name,
      orderType: "limit",
      postOnly: "slide",
      ...order,
    }));
    if (orders.length === 0) return;
    // A rejected quote is retried when the market changes.
    void this.#signer.send("placeOrders", readPayload("placeOrders", { mode: "each", orders }));
  }

  #quotesOf(market: MarketRow, rules: MarketParameters, index: number, lots: number) {
    const random = Random.ofSeed([this.#seed, this.#number + 1, market, 0x6d616b65]);
    const lotValue = (index / 1e8) * (rules.lotSize / 1e8);
    const lean = Math.max(-3, Math.min(3, (lots * lotValue) / LEAN_VALUE)) * LEAN;
    const centre = index * (1 - lean);
    const quotes: { side: "buy" | "sell"; price: string; size: string }[] = [];
    for (let level = 0; level < LEVELS; level++) {
      for (const side of ["buy", "sell"] as const) {
        const away = NEAREST + STEP * (level + random.fraction());
        const most = Math.max(rules.minLots, Math.round((VALUE * (0.5 + random.fraction())) / lotValue));
        const ticks =
          side === "buy"
            ? Math.floor((centre * (1 - away)) / rules.tickSize)
            : Math.ceil((centre * (1 + away)) / rules.tickSize);
        if (ticks < 1 || ticks * rules.tickSize > rules.priceMost) continue;
        const price = formatPrice(BigInt(ticks) * BigInt(rules.tickSize));
        quotes.push({ side, price, size: formatLots(rules, Math.max(1, most)) });
      }
    }
    return quotes;
  }
}

/** Its name in ASCII padded with zeros, like the keys of development authorities. */
function keyOfMaker(number: number): PrivateKey {
  return `0x${Buffer.from(`perplab maker ${number}`, "ascii").toString("hex").padStart(64, "0")}`;
}
