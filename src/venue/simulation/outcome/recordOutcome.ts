import {
  CLOSE_KINDS,
  EVENT_CODES,
  type EventKind,
  INSURANCE_CAUSES,
  type VenueEvent,
} from "../../../protocol/events.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../engine/applyBlock.ts";
import { EVENT_WIDTHS, readEvent } from "../../engine/events/readEvents.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { TOTAL } from "../../engine/state/totals.ts";
import type { Observer } from "../observer.ts";
import { type Fairness, type Outcome, PATH_POINTS } from "./outcome.ts";

/** Kinds that are decoded; the others are stepped over. */
const WATCHED: readonly EventKind[] = [
  "fill",
  "positionChanged",
  "fundingSettled",
  "insuranceChanged",
  "liquidationStarted",
  "liquidationContinued",
  "deleveraged",
  "lossSocialized",
];
const IS_WATCHED: readonly boolean[] = Object.values(EVENT_CODES).map((code) =>
  WATCHED.some((kind) => EVENT_CODES[kind] === code),
);
const COVERS = new Set(["cover", "deficit"].map((cause) => (INSURANCE_CAUSES as readonly string[]).indexOf(cause)));

interface Point {
  readonly timeMs: number;
  readonly balance: bigint;
}

/** Positions are named by account * MARKETS + market. */
const MARKETS = 65_536;

/** Records the outcome of a run, as an observer. Cost: once per event of the kinds it watches. */
export class OutcomeRecorder implements Observer {
  #blocks = 0;
  #applied = 0;
  #rejected = 0;
  #invalid = 0;
  #liquidationSteps = 0;
  readonly #liquidated = new Set<number>();
  readonly #wiped = new Set<number>();
  readonly #closed = new Map<string, bigint>();
  #bookValue = 0n;
  #start = 0n;
  #least = 0n;
  #paid = 0n;
  #path: Point[] = [];
  #low: Point | undefined;
  #balance = 0n;
  #pathEvery = 1;
  #pathSeen = 0;
  #socialized = 0n;
  #fundingPaid = 0n;
  #fundingReceived = 0n;
  readonly #sizes = new Map<number, number>();
  readonly #marketsOf = new Map<number, Set<number>>();
  readonly #borne = new Map<number, bigint>();
  readonly #hedged = new Map<number, bigint>();

  onStart(state: State): void {
    this.#start = state.totals.get(TOTAL.insurance);
    this.#least = this.#start;
    this.#balance = this.#start;
    this.#path.push({ timeMs: state.timeMs, balance: this.#start });
    const { positions } = state;
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as PositionRow;
      const signedLots = positions.rows.isLive(at) ? positions.signedLots[at]! : 0;
      if (signedLots !== 0) this.#setSize(positions.account[at]!, positions.market[at]!, signedLots);
    }
  }

  onBlock(state: State, block: Block, { events, from, to, receipts }: BlockResult): void {
    this.#blocks++;
    for (let index = 0; index < block.transactions.length; index++) {
      const code = receipts.codes[index]!;
      if (code === 0) this.#applied++;
      else if (code > 0) this.#rejected++;
      else this.#invalid++;
    }
    const inLiquidation: number[] = [];
    for (let at = from; at < to; at += EVENT_WIDTHS[events[at]!]!) {
      if (IS_WATCHED[events[at]!]) this.#take(state, readEvent(events, at), inLiquidation);
    }
    for (const account of inLiquidation) {
      if (state.accounts.collateral[account as AccountRow]! <= 0 && (this.#marketsOf.get(account)?.size ?? 0) === 0) {
        this.#wiped.add(account);
      }
    }
    this.#notePath(state);
  }

  result(state: State): Outcome {
    const sum = (way: string) => this.#closed.get(way) ?? 0n;
    const balance = state.totals.get(TOTAL.insurance);
    return {
      blocks: this.#blocks,
      height: state.height,
      timeMs: state.timeMs,
      transactions: { applied: this.#applied, rejected: this.#rejected, invalid: this.#invalid },
      liquidations: {
        liquidationSteps: this.#liquidationSteps,
        accounts: this.#liquidated.size,
        bookValue: this.#bookValue,
        deleveragedValue: sum("deleveraging") + sum("previousMark"),
        closedOutValue: sum("closeOut"),
        takenOverValue: sum("takeover"),
        wipedOut: this.#wiped.size,
      },
      insurance: {
        start: this.#start,
        least: this.#least,
        end: balance,
        paid: this.#paid,
        path: [...this.#path.filter(({ timeMs }) => timeMs !== state.timeMs), { timeMs: state.timeMs, balance }],
      },
      socialized: this.#socialized,
      badDebt: state.totals.get(TOTAL.badDebt),
      fundingPaid: this.#fundingPaid,
      fundingReceived: this.#fundingReceived,
      fees: state.totals.get(TOTAL.fees),
      fairness: this.#fairness(),
    };
  }

  #take(state: State, event: VenueEvent, inLiquidation: number[]): void {
    switch (event.kind) {
      case "fill":
        if (event.liquidation !== 0) this.#bookValue += BigInt(event.value);
        return;
      case "positionChanged":
        this.#setSize(event.account, event.market, event.size);
        return;
      case "fundingSettled":
        if (event.payment > 0) this.#fundingPaid += BigInt(event.payment);
        else this.#fundingReceived -= BigInt(event.payment);
        return;
      case "insuranceChanged":
        if (COVERS.has(event.cause)) this.#paid -= BigInt(event.delta);
        return;
      case "liquidationStarted":
      case "liquidationContinued":
        this.#liquidationSteps++;
        this.#liquidated.add(event.account);
        inLiquidation.push(event.account);
        return;
      case "lossSocialized":
        this.#socialized += BigInt(event.amount);
        return;
      case "deleveraged": {
        const way = CLOSE_KINDS[event.way]!;
        const value = BigInt(Math.abs(event.value));
        this.#closed.set(way, (this.#closed.get(way) ?? 0n) + value);
        if ((way as string) === "takeover") return;
        this.#borne.set(event.counterparty, (this.#borne.get(event.counterparty) ?? 0n) + value);
        if (this.#isHedged(state, event.counterparty)) {
          this.#hedged.set(event.counterparty, (this.#hedged.get(event.counterparty) ?? 0n) + value);
        }
        return;
      }
    }
  }

  #setSize(account: number, market: number, signedLots: number): void {
    const key = account * MARKETS + market;
    let held = this.#marketsOf.get(account);
    if (signedLots === 0) {
      this.#sizes.delete(key);
      held?.delete(market);
      return;
    }
    this.#sizes.set(key, signedLots);
    if (held === undefined) {
      held = new Set();
      this.#marketsOf.set(account, held);
    }
    held.add(market);
  }

  /** Whether an account's positions offset each other: at marks, the net is at most half of the gross. */
  #isHedged({ markets, parameters }: State, account: number): boolean {
    let net = 0n;
    let gross = 0n;
    for (const market of this.#marketsOf.get(account) ?? []) {
      const rules = parameters[market]!;
      const signedLots = BigInt(this.#sizes.get(account * MARKETS + market)!);
      // In 1e-16 USD: only the ratio counts.
      const value = signedLots * BigInt(rules.lotSize) * BigInt(markets.mark[market as MarketRow]!);
      net += value;
      gross += value < 0n ? -value : value;
    }
    return gross > 0n && (net < 0n ? -net : net) * 2n <= gross;
  }

  #fairness(): Fairness {
    const values = [...this.#borne.values()].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
    const total = values.reduce((sum, value) => sum + value, 0n);
    const top = values.slice(0, Math.ceil(values.length / 10)).reduce((sum, value) => sum + value, 0n);
    return {
      accounts: values.length,
      topTenthPpm: total === 0n ? 0 : Number((top * 1_000_000n) / total),
      hedgedAccounts: this.#hedged.size,
      hedgedValue: [...this.#hedged.values()].reduce((sum, value) => sum + value, 0n),
    };
  }

  /** Keeps the path short: changes only, every n-th of them, where n doubles when the path is full; the low is kept. */
  #notePath(state: State): void {
    const balance = state.totals.get(TOTAL.insurance);
    if (balance === this.#balance) return;
    this.#balance = balance;
    const point = { timeMs: state.timeMs, balance };
    const isLow = balance < this.#least;
    if (isLow) {
      this.#least = balance;
      this.#low = point;
    }
    if (this.#pathSeen++ % this.#pathEvery !== 0 && !isLow) return;
    this.#path.push(point);
    if (this.#path.length < PATH_POINTS) return;
    this.#pathEvery *= 2;
    this.#path = this.#path.filter((kept, place) => place % 2 === 0 || kept === this.#low);
  }
}
