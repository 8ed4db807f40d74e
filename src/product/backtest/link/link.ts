import type { TransactionId } from "../../../client/strategy/facts.ts";
import type { Latency, LatencyModel } from "./latencyModel.ts";
import { readLatency } from "./latencyModel.ts";
import { type Outage, OutageTimes, readOutages } from "./outages.ts";
import { RateGate, type RateLimit, readRateLimits } from "./rateLimit.ts";

/** The connection between a strategy and the venue. */
export interface LinkOptions {
  /**
   * From sending a transaction to the earliest block that may carry it: ms, a distribution such as `lognormal(20,0.5)`,
   * or recorded samples. A transaction never overtakes an earlier one. Default: 100.
   */
  readonly latencyMs?: Latency;
  /**
   * From an instant of the market to the strategy, which sees prices, trades, bars and the order book that much later.
   * Default: 0.
   */
  readonly feedLatencyMs?: Latency;
  /**
   * From a block to the strategy, which learns of its fills, rejections, orders and position that much later. Default:
   * 0.
   */
  readonly receiptLatencyMs?: Latency;
  /**
   * Transactions that the venue takes in an interval: `10/1s`, or `300/10s,1200/1m` for several limits. Others are
   * rejected with `RATE_LIMITED` where they arrive. Default: no limit.
   */
  readonly rateLimit?: string;
  /**
   * Times without a connection. A transaction that arrives then is rejected with `VENUE_UNREACHABLE`; what the venue
   * sends arrives at the end. Default: none.
   */
  readonly outages?: readonly Outage[];
}

export const LINK_DEFAULTS = { latencyMs: 100, feedLatencyMs: 0, receiptLatencyMs: 0 } as const;

/** A connection, checked. */
export interface LinkSettings {
  /** As it was given, with defaults. */
  readonly options: LinkOptions & Required<Pick<LinkOptions, keyof typeof LINK_DEFAULTS>>;
  readonly submit: LatencyModel;
  readonly feed: LatencyModel;
  readonly receipt: LatencyModel;
  /** Empty for no limit. */
  readonly rateLimits: readonly RateLimit[];
  /** By time. */
  readonly outages: readonly Required<Outage>[];
  /** The strategy sees each block at once, and every transaction reaches one. */
  readonly isDirect: boolean;
}

/**
 * Checks a connection.
 *
 * @param nameOf the place of an error in an option
 * @throws {ReplayError} OPTION_INVALID
 */
export function readLink(given: LinkOptions, nameOf: (option: string) => string): LinkSettings {
  const options = { ...LINK_DEFAULTS, ...given };
  const feed = readLatency(nameOf("feed-latency"), options.feedLatencyMs);
  const receipt = readLatency(nameOf("receipt-latency"), options.receiptLatencyMs);
  const { rateLimit, outages: asked = [] } = options;
  const rateLimits = rateLimit === undefined ? [] : readRateLimits(nameOf("rate-limit"), rateLimit);
  const outages = readOutages(nameOf("outage"), asked);
  const isAtOnce = feed.constantMs === 0 && receipt.constantMs === 0;
  return {
    options,
    submit: readLatency(nameOf("latency"), options.latencyMs),
    feed,
    receipt,
    rateLimits,
    outages,
    isDirect: isAtOnce && rateLimits.length === 0 && outages.length === 0,
  };
}

/** Why a transaction did not reach the venue. */
export type RefusalCode = "RATE_LIMITED" | "VENUE_UNREACHABLE";

/** A transaction that was refused where it arrived. */
export interface RefusedTransaction {
  readonly id: TransactionId;
  readonly code: RefusalCode;
  /** When it arrived. */
  readonly timeMs: number;
}

/** What a strategy's messages meet on their way. */
export class Link {
  readonly #rate: RateGate;
  readonly #down: { readonly submit: OutageTimes; readonly feed: OutageTimes };
  /** Ms that a transaction takes which is sent at a time. */
  readonly submitMs: (timeMs: number) => number;
  readonly #feedMs: (timeMs: number) => number;
  readonly #receiptMs: (timeMs: number) => number;

  constructor({ submit, feed, receipt, rateLimits, outages }: LinkSettings, seed: string) {
    this.submitMs = submit.open(seed, "submit");
    this.#feedMs = feed.open(seed, "feed");
    this.#receiptMs = receipt.open(seed, "receipt");
    this.#rate = new RateGate(rateLimits);
    this.#down = { submit: new OutageTimes(outages, "submit"), feed: new OutageTimes(outages, "feed") };
  }

  /** Why the venue refuses a transaction that arrives at a time; undefined where it takes it. Times do not fall. */
  refuse(timeMs: number): RefusalCode | undefined {
    if (this.#down.submit.release(timeMs) !== timeMs) return "VENUE_UNREACHABLE";
    return this.#rate.admit(timeMs) ? undefined : "RATE_LIMITED";
  }

  /** When a message of the feed arrives that is sent at a time. */
  feedAt(timeMs: number): number {
    return this.#down.feed.release(timeMs + this.#feedMs(timeMs));
  }

  /** When a receipt arrives that is sent at a time. */
  receiptAt(timeMs: number): number {
    return this.#down.feed.release(timeMs + this.#receiptMs(timeMs));
  }
}
