import type { BlockTransaction, Event } from "../../api/schemas/transactions.ts";
import type { ClientCore } from "../core.ts";
import { call, each } from "../operations/operation.ts";
import type { DeltaOf } from "../socket/messages.ts";
import type { Subscription } from "../socket/streamClient.ts";
import type { ReportedBlock } from "./accountFacts.ts";

/** Most blocks that wait to be read; older ones are read over REST. */
const WAITING_MOST = 2_000;
/** How long to wait for a block on the stream that the venue already has, ms. */
const PATIENCE_MS = 1_000;
/** Factor for the polling interval while a stream reports blocks. */
const RARELY = 20;

/** The parts of a block that the streams reported. */
interface StreamedBlock {
  block: DeltaOf<"blocks"> | undefined;
  events: Event[];
  transactions: BlockTransaction[];
}

/**
 * The blocks of a venue with their events, and with the transactions of an account: from streams if the client has any.
 * A block states its number of events, and any part that a stream has not reported is read over REST.
 */
export class BlockFeed {
  readonly #core: ClientCore;
  readonly #address: string;
  readonly #streamed = new Map<number, StreamedBlock>();
  #subscriptions: Subscription[] = [];
  #isReported = false;
  #reached = 0;
  #wake: () => void = () => {};

  constructor(core: ClientCore, address: string) {
    this.#core = core;
    this.#address = address;
  }

  /** Subscribes, if the transport has streams. */
  open(): void {
    const { streams, transport } = this.#core;
    if (!transport.hasSocket || this.#subscriptions.length > 0) return;
    const ignore = () => {};
    this.#subscriptions = [
      streams.follow(
        { channel: "events" },
        {
          onSnapshot: ignore,
          onDelta: ({ seq, data }) => this.#at(seq).events.push(...data),
        },
      ),
      streams.follow(
        { channel: "transactions", address: this.#address },
        {
          onSnapshot: ignore,
          onDelta: ({ seq, data }) => this.#at(seq).transactions.push(...data),
        },
      ),
      streams.follow(
        { channel: "blocks" },
        {
          onSnapshot: ({ seq }) => {
            this.#isReported = true;
            this.#reach(seq);
          },
          onDelta: ({ seq, data }) => {
            this.#at(seq).block = data;
            this.#reach(seq);
          },
          onResync: () => {
            // The chain may have been replaced.
            this.#isReported = false;
            this.#reached = 0;
            this.#streamed.clear();
          },
          onError: () => {
            this.#isReported = false;
          },
        },
      ),
    ];
  }

  close(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.close();
    this.#isReported = false;
    this.#streamed.clear();
  }

  /**
   * Resolves when there may be a block above a height: when a stream reports one, or when the venue is to be polled.
   */
  async next(height: number, pollMs: number, signal: AbortSignal): Promise<void> {
    if (this.#reached > height) return;
    await this.#wait(this.#isReported ? pollMs * RARELY : pollMs, signal);
  }

  /**
   * A block that the venue has made.
   *
   * @param own ids of the transactions that must be among the reported ones
   */
  async read(height: number, own: { has(txId: string): boolean }): Promise<ReportedBlock> {
    const { clock } = this.#core;
    const endMs = clock.nowMs() + PATIENCE_MS;
    while (this.#isReported && this.#reached < height && clock.nowMs() < endMs) {
      await this.#wait(endMs - clock.nowMs());
    }
    const streamed = this.#streamed.get(height);
    for (const known of this.#streamed.keys()) if (known <= height) this.#streamed.delete(known);
    if (streamed?.block === undefined) return this.#readAll(height);
    const { block, events, transactions } = streamed;
    const { timeMs, eventCount, txIds } = block;
    const reported = new Set(transactions.map(({ txId }) => txId));
    const isWhole = events.length === eventCount && txIds.every((txId) => !own.has(txId) || reported.has(txId));
    return isWhole ? { timeMs, events, transactions } : this.#readAll(height);
  }

  async #readAll(at: number): Promise<ReportedBlock> {
    const height = String(at);
    const list = { height, limit: 500 };
    const block = await call(this.#core, "getBlock", { height });
    const [events, transactions]: [Event[], BlockTransaction[]] = [[], []];
    for await (const event of each(this.#core, "listBlockEvents", list)) events.push(event);
    for await (const transaction of each(this.#core, "listBlockTransactions", list)) transactions.push(transaction);
    return { timeMs: block.data.timeMs, events, transactions };
  }

  /** Resolves when a stream reports a block, or after the time. */
  async #wait(ms: number, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#core;
    const reported = new AbortController();
    this.#wake = () => reported.abort();
    const either = signal === undefined ? reported.signal : AbortSignal.any([signal, reported.signal]);
    await clock.sleep(ms, either).catch(() => undefined);
  }

  #reach(height: number): void {
    this.#reached = height;
    this.#wake();
  }

  #at(height: number): StreamedBlock {
    let streamed = this.#streamed.get(height);
    if (streamed === undefined) {
      streamed = { block: undefined, events: [], transactions: [] };
      this.#streamed.set(height, streamed);
      if (this.#streamed.size > WAITING_MOST) this.#streamed.delete(this.#streamed.keys().next().value!);
    }
    return streamed;
  }
}
