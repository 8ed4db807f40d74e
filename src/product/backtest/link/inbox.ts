import type { OwnRejection, Report } from "../../../client/strategy/blockFacts.ts";
import type { TransactionId } from "../../../client/strategy/facts.ts";
import type { Segment } from "../../replay/timeline.ts";
import type { AccountPicture } from "../account/accountPicture.ts";
import type { VenuePicture } from "../account/venuePicture.ts";

/** A message of the feed: an instant of the data. */
export interface FeedMessage {
  /** Time of the instant in the venue. */
  readonly timeMs: number;
  readonly picture: VenuePicture;
  readonly segments: readonly Segment[];
  readonly isBlock: boolean;
  /** It has something for a hook of the strategy. */
  readonly isCall: boolean;
}

/** What the venue answers: the effects of a block on the account, or the refusal of a transaction. */
export interface Receipt {
  readonly timeMs: number;
  readonly reports: readonly Report[];
  readonly rejections: readonly OwnRejection[];
  /** Transactions that it answers. */
  readonly ids: readonly TransactionId[];
  /** Undefined for a refusal, which leaves the account alone. */
  readonly account: AccountPicture | undefined;
}

/** Messages that have arrived by a time. */
export interface Arrived {
  readonly feed: readonly FeedMessage[];
  readonly receipts: readonly Receipt[];
}

export interface InboxParts {
  /** When a message of the feed arrives that is sent at a time. */
  readonly feed: (timeMs: number) => number;
  /** The same of a receipt. */
  readonly receipt: (timeMs: number) => number;
}

/**
 * What the venue has sent to a strategy and has not arrived. The feed and the receipts are two connections. On each, no
 * message arrives before one that was sent earlier. Between the two there is no order: a fill may be known before the
 * trade that made it is seen. Only the first message of the feed comes before all receipts, since a strategy begins
 * with a market to look at.
 */
export class Inbox {
  readonly #arrivalOf: InboxParts;
  readonly #feed = new Queue<FeedMessage>();
  readonly #receipts = new Queue<Receipt>();
  /** Arrivals of the messages of the feed that have something for a hook. */
  readonly #calls = new Queue<undefined>();
  /** Refused transactions that have not reached the venue yet, by the time at which they do. */
  readonly #refusals = new Queue<Receipt>();
  #firstMs = Number.NaN;

  constructor(parts: InboxParts) {
    this.#arrivalOf = parts;
  }

  addFeed(message: FeedMessage): void {
    const isFirst = Number.isNaN(this.#firstMs);
    // The strategy was called for everything before this instant: of what came since, it needs the newest and the
    // calls.
    this.#feed.dropOlder(message.timeMs, ({ isCall }) => !isCall);
    const arrivalMs = this.#feed.push(this.#arrivalOf.feed(message.timeMs), message);
    if (isFirst) this.#firstMs = arrivalMs;
    if (isFirst || message.isCall) this.#calls.push(arrivalMs, undefined);
  }

  addReceipt(receipt: Receipt): void {
    // Before the first message of the feed there is the account as it was set up: it comes with that message.
    const arrivalMs = Number.isNaN(this.#firstMs)
      ? Number.NEGATIVE_INFINITY
      : Math.max(this.#firstMs, this.#arrivalOf.receipt(receipt.timeMs));
    this.#receipts.push(arrivalMs, receipt);
  }

  /** A transaction reaches the venue at a time and is refused there. */
  addRefusal(refusal: Receipt): void {
    this.#refusals.push(refusal.timeMs, refusal);
  }

  /** Takes the refusals up to a time, which become receipts. */
  takeRefusals(timeMs: number): readonly Receipt[] {
    const refused = this.#refusals.take(timeMs);
    for (const refusal of refused) this.addReceipt(refusal);
    return refused;
  }

  /**
   * When something comes next that the strategy must be called for.
   *
   * @param framesDueMs when a bar of a frame ends: the message of that instant, or the first after it, is waited for
   * @param isAny       the next message of any kind is waited for
   */
  findNextMs(framesDueMs: number, isAny: boolean): number {
    let nextMs = Math.min(this.#calls.headMs, this.#refusals.headMs);
    // Nothing comes before the first message of the feed.
    if (!Number.isNaN(this.#firstMs)) nextMs = Math.min(nextMs, Math.max(this.#receipts.headMs, this.#firstMs));
    if (isAny) nextMs = Math.min(nextMs, this.#feed.headMs);
    if (framesDueMs === Number.POSITIVE_INFINITY) return nextMs;
    return Math.min(
      nextMs,
      this.#feed.findMs(({ timeMs }) => timeMs >= framesDueMs),
    );
  }

  /** Takes the messages that have arrived by a time. */
  take(timeMs: number): Arrived {
    this.#calls.take(timeMs);
    return { feed: this.#feed.take(timeMs), receipts: this.#receipts.take(timeMs) };
  }
}

/** Messages of one connection, in the order in which they were sent and arrive. */
class Queue<Message> {
  #messages: Message[] = [];
  #arrivals: number[] = [];
  /** Messages before this place are taken. */
  #head = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Adds a message that arrives at a time, or with the one before it. Returns when it does. */
  push(timeMs: number, message: Message): number {
    this.#lastMs = Math.max(this.#lastMs, timeMs);
    this.#messages.push(message);
    this.#arrivals.push(this.#lastMs);
    return this.#lastMs;
  }

  /** When the next message arrives; Infinity for none. */
  get headMs(): number {
    return this.#arrivals[this.#head] ?? Number.POSITIVE_INFINITY;
  }

  /** When the first message arrives that passes a test which all later messages pass; Infinity for none. */
  findMs(test: (message: Message) => boolean): number {
    let low = this.#head;
    let high = this.#messages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (test(this.#messages[middle]!)) high = middle;
      else low = middle + 1;
    }
    return this.#arrivals[low] ?? Number.POSITIVE_INFINITY;
  }

  /** Drops messages at the head that pass a test, where the next one has arrived before a time as well. */
  dropOlder(timeMs: number, test: (message: Message) => boolean): void {
    while (this.#arrivals[this.#head + 1]! < timeMs && test(this.#messages[this.#head]!)) this.#head++;
    if (this.#head > TAKEN_MOST) this.#forgetTaken();
  }

  #forgetTaken(): void {
    this.#messages = this.#messages.slice(this.#head);
    this.#arrivals = this.#arrivals.slice(this.#head);
    this.#head = 0;
  }

  /** Takes the messages that have arrived by a time. */
  take(timeMs: number): Message[] {
    const from = this.#head;
    let to = from;
    while (to < this.#arrivals.length && this.#arrivals[to]! <= timeMs) to++;
    if (to === from) return [];
    const taken = this.#messages.slice(from, to);
    this.#head = to;
    if (to === this.#messages.length || to > TAKEN_MOST) this.#forgetTaken();
    return taken;
  }
}

/** Taken messages that a queue holds at most. */
const TAKEN_MOST = 1_024;
