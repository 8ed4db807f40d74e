import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, mulDivFloor, type Ppb, type PriceE8, type SizeE8 } from "../../../ground/math/fixed.ts";
import { Random } from "../../../ground/math/random.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import { type ActionName, actions, type Payloads } from "../../../protocol/actions/index.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { PLAIN_ORDER } from "../../../protocol/plainOrder.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { ORDER_TYPE, SIDE } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";

export interface PopulationOptions {
  /** How many accounts. */
  readonly accounts: number;
  readonly seed: string;
}

/**
 * Deposits of traders in whole USD, and the share of the allowed exposure that they use; one of each is drawn for an
 * account.
 */
const DEPOSITS = [200, 500, 1_000, 2_000, 5_000, 10_000, 25_000, 100_000, 400_000] as const;
const LEVERAGES = [2, 3, 5, 5, 10, 10, 20, 25, 35] as const;
/** Share of the collateral used as margin of a position, in percent; the rest stays free. */
const SHARES = [40, 60, 80, 90, 95] as const;
/** One in so many is hedged: long in one market and short in another, where there are two. */
const HEDGED_OF = 6;
/** How long an account waits between two decisions, milliseconds: drawn from half to one and a half of this. */
const PATIENCE_MS = [3_600_000, 4 * 3_600_000, 12 * 3_600_000, 48 * 3_600_000] as const;
/** Slippage bound of their orders: 1 %. */
const SLIPPAGE = 10_000_000 as Ppb;

interface Trader {
  readonly key: AccountKey;
  readonly deposit: number;
  readonly leverage: number;
  readonly share: number;
  readonly hedged: boolean;
  readonly patienceMs: number;
  /** Of 100 draws of a side, how many are long. */
  readonly longOf: number;
  nextMs: number;
  readonly nonces: Partial<Record<Domain, number>>;
}

/**
 * A seeded crowd of leveraged traders. Each deposits once, then opens positions with market orders, adds to them, and
 * closes them, at times of its own. Their actions depend on the seed and on prices alone, so the same crowd can be
 * replayed under other rules.
 */
export class Population {
  readonly #random: Random;
  readonly #traders: readonly Trader[];

  constructor({ accounts, seed }: PopulationOptions) {
    const words = [...seed].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0, 0x9e37);
    this.#random = Random.ofSeed([words, 0x706f70, accounts | 0, ~words]);
    this.#traders = Array.from({ length: accounts }, (_, place) => this.#draw(place));
  }

  /** The accounts with their deposits, for genesis. */
  get accounts(): Genesis["accounts"] {
    return this.#traders.map(({ key, deposit }) => ({
      address: key.address,
      subaccount: 0,
      role: "normal",
      balance: formatDecimal(deposit * 10 ** AMOUNT_DECIMALS, AMOUNT_DECIMALS),
    }));
  }

  /** Transactions of the crowd in the block at a time; it sees the venue as the block before left it. */
  act(state: State, height: number, timeMs: number): Transaction[] {
    const sent: Transaction[] = [];
    const markets = state.marketNames.filter((_, row) => state.markets.mark[row as never] !== 0);
    if (markets.length === 0) return sent;
    for (const trader of this.#traders) {
      // The first call only draws the time of the first decision.
      if (trader.nextMs === 0) trader.nextMs = timeMs + 1 + this.#random.below(trader.patienceMs);
      if (trader.nextMs > timeMs) continue;
      trader.nextMs = timeMs + trader.patienceMs / 2 + this.#random.below(trader.patienceMs);
      for (const [action, payload] of this.#decide(state, trader, markets)) {
        sent.push(sign(trader, action, payload, height));
      }
    }
    return sent;
  }

  #draw(place: number): Trader {
    const random = this.#random;
    return {
      key: new AccountKey(`0x${(0x706f_7000_0000 + place).toString(16).padStart(40, "0")}`, 0),
      deposit: random.pick(DEPOSITS),
      leverage: random.pick(LEVERAGES),
      share: random.pick(SHARES),
      hedged: random.chance(1, HEDGED_OF),
      patienceMs: random.pick(PATIENCE_MS),
      longOf: random.between(35, 75),
      nextMs: 0,
      nonces: {},
    };
  }

  /** Opens, adds, or closes everything; a hedged trader takes both sides. */
  *#decide(state: State, trader: Trader, markets: readonly string[]): Generator<Order> {
    const random = this.#random;
    if (random.chance(2, 5)) {
      for (const market of markets) yield close(market);
      return;
    }
    const budget = mulDivFloor(trader.deposit * trader.share * trader.leverage, 10 ** AMOUNT_DECIMALS, 100);
    const side = random.below(100) < trader.longOf ? SIDE.buy : SIDE.sell;
    if (!trader.hedged || markets.length < 2) {
      yield open(state, random.pick(markets), side, budget);
      return;
    }
    const first = random.below(markets.length);
    const second = (first + 1 + random.below(markets.length - 1)) % markets.length;
    yield open(state, markets[first]!, side, Math.floor(budget / 2));
    yield open(state, markets[second]!, 1 - side, Math.floor(budget / 2));
  }
}

type Order = readonly [action: ActionName, payload: Payloads[ActionName]];

/** A market order for the whole lots that the budget, in quote units, buys at the mark. */
function open(state: State, market: string, side: number, budget: number): Order {
  const row = state.marketRows.get(market)!;
  const rules = state.parameters[row]!;
  const lots = Math.floor(
    budget / Math.max(1, Number(mulDivFloor(state.markets.mark[row]!, rules.lotNumerator, rules.lotDenominator))),
  );
  return ["placeOrder", { ...ORDER, market, side, size: (Math.max(1, lots) * rules.lotSize) as SizeE8 }];
}

function close(market: string): Order {
  const payload = { market, size: 0 as SizeE8, price: 0 as PriceE8, slippage: SLIPPAGE, clientOrderId: "" };
  return ["closePosition", payload as Payloads["closePosition"]];
}

/** Members of an order that all of theirs share. */
const ORDER: Payloads["placeOrder"] = { ...PLAIN_ORDER, orderType: ORDER_TYPE.market, slippage: SLIPPAGE };

function sign(trader: Trader, action: ActionName, payload: Payloads[ActionName], height: number): Transaction {
  const nonceDomain = actions[action].domain as Domain;
  const nonce = trader.nonces[nonceDomain] ?? 0;
  trader.nonces[nonceDomain] = nonce + 1;
  return createTransaction({ action, account: trader.key, payload, nonce, nonceDomain, validFrom: height });
}
