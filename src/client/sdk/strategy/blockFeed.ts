import type { BlockTransaction, Event } from "../../api/schemas/transactions.ts";
import type { ClientCore } from "../core.ts";
import { call, each } from "../operations/operation.ts";
import type { DeltaOf } from "../socket/messages.ts";
import type { Subscription } from "../socket/streamClient.ts";
import type { ReportedBlock } from "./accountFacts.ts";

/** Blocks that wait to be read; older ones are read over REST. */
const WAITING_MOST = 2_000;
/** How long a block that the venue has is waited for on the stream, ms. */
const PATIENCE_MS = 1_000;
/** With a stream that tells of blocks, the venue is asked so much more seldom. */
const RARELY = 20;

/** What the streams told of a block. */
interface Heard {
  block: DeltaOf<"blocks"> | undefined;
  events: Event[];
  transactions: BlockTransaction[];
}

/**
 * The blocks of a venue with their events, and with the transactions of an account: by streams where the client has any.
 * A block says how much is in it, so what a stream has not told, for whatever reason, is read over REST.
 */
export class BlockFeed {
  readonly #core: ClientCore;
  readonly #address: string;
  readonly #heard = new Map<number, Heard>();
  #subscriptions: Subscription[] = [];
  #isReported = false;
  #reached = 0;
  #wake: () => void = () => {};

  constructor(core: ClientCore, address: string) {
    this.#core = core;
    this.#address = address;
  }

  /** Begins to listen, where there is something to listen to. */
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
            // It may be another chain.
            this.#isReported = false;
            this.#reached = 0;
            this.#heard.clear();
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
    this.#heard.clear();
  }

  /** Resolves when there may be a block above a height: when one is told, or when it is time to ask. */
  async next(height: number, pollMs: number, signal: AbortSignal): Promise<void> {
    if (this.#reached > height) return;
    await this.#wait(this.#isReported ? pollMs * RARELY : pollMs, signal);
  }

  /**
   * A block that the venue has made.
   *
   * @param own ids of the transactions that have to be among those told
   */
  async read(height: number, own: { has(txId: string): boolean }): Promise<ReportedBlock> {
    const { clock } = this.#core;
    const endMs = clock.nowMs() + PATIENCE_MS;
    while (this.#isReported && this.#reached < height && clock.nowMs() < endMs) {
      await this.#wait(endMs - clock.nowMs());
    }
    const heard = this.#heard.get(height);
    for (const known of this.#heard.keys()) if (known <= height) this.#heard.delete(known);
    if (heard?.block === undefined) return this.#readAll(height);
    const { block, events, transactions } = heard;
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

  /** Until something is told, or for so long. */
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

  #at(height: number): Heard {
    let heard = this.#heard.get(height);
    if (heard === undefined) {
      heard = { block: undefined, events: [], transactions: [] };
      this.#heard.set(height, heard);
      if (this.#heard.size > WAITING_MOST) this.#heard.delete(this.#heard.keys().next().value!);
    }
    return heard;
  }
}
