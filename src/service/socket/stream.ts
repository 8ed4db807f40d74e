import { channels, nameStream, type StreamName } from "../../api/socket/channels.ts";
import type { BlockEntry } from "../host/host.ts";
import type { Services } from "../services.ts";
import { type BookSides, checksumOf, diffSides, readSides } from "./bookSides.ts";
import { type Changes, collectChanges } from "./changes.ts";
import { openSource, sources } from "./sources.ts";

/** Blocks over which a stream may be resumed. */
export const RESUME_BLOCKS = 2_000;
/** Messages of a book that are kept for those who resume. */
const BOOK_KEPT = 256;

/**
 * One stream, while anybody follows it. Its messages are written once, whoever reads them. `seq` of a message is the
 * height of its block, so it is a function of the chain, and `prevSeq` the one before: whoever holds a smaller number
 * than `prevSeq` has missed something.
 */
export class Stream {
  readonly key: string;
  readonly name: StreamName;
  readonly kind: "state" | "events";
  readonly isAccount: boolean;
  /** `seq` of the last message; at first, the height at which somebody began to follow. */
  lastSeq: number;
  readonly #services: Services;
  /** Of a book: what was in view after the last message, and the last messages. */
  #sides: BookSides | undefined;
  #sent: { readonly seq: number; readonly prevSeq: number; readonly text: string }[] = [];
  /** Of a stream of state that has one item: the text of the last one. */
  #last = "";

  constructor(services: Services, name: StreamName) {
    this.#services = services;
    this.name = name;
    this.key = nameStream(name);
    const { kind, about } = channels[name.channel];
    this.kind = kind;
    this.isAccount = about === "account";
    this.lastSeq = services.host.state.height;
    if (name.channel === "book") this.#sides = this.#readSides();
  }

  /** The stream as it is. */
  snapshot(): string {
    const { state, epoch } = this.#services.host;
    const sides = this.#sides;
    const context = openSource(this.#services, this.name)!;
    const { channel } = this.name;
    const data = channel === "book" ? sides! : sources[channel].snapshot(context);
    const checksum = sides === undefined ? {} : { checksum: checksumOf(sides) };
    const { height: seq, timeMs } = state;
    return JSON.stringify({ type: "snapshot", stream: this.key, channel, epoch, seq, timeMs, data, ...checksum });
  }

  /** What a block changed, as the message for everybody; undefined where it changed nothing here. */
  advance(changes: Changes): string | undefined {
    const text = this.#write(changes, this.lastSeq);
    if (text === undefined) return undefined;
    this.lastSeq = changes.entry.height;
    return text;
  }

  /** What came behind `seq`, as messages; undefined where that is not kept. */
  resume(seq: number): string[] | undefined {
    const { host } = this.#services;
    const { height } = host.state;
    if (seq > height) return undefined;
    if (seq === height) return [];
    if (this.name.channel === "book") {
      const missed = this.#sent.filter((message) => message.seq > seq);
      const known = missed[0]?.prevSeq ?? this.lastSeq;
      return known <= seq ? missed.map(({ text }) => text) : undefined;
    }
    if (height - seq > RESUME_BLOCKS) return undefined;
    const entries: BlockEntry[] = [];
    for (let at = seq + 1; at <= height; at++) {
      const entry = host.block(at);
      if (entry === undefined) return undefined;
      entries.push(entry);
    }
    if (this.name.channel === "blocks") {
      return entries.map((entry) => this.#write(this.#collect([entry]), entry.height - 1)!);
    }
    const text = this.#write(this.#collect(entries), seq);
    return text === undefined ? [] : [text];
  }

  #collect(entries: readonly BlockEntry[]): Changes {
    const { orders } = this.#services.history.read();
    return collectChanges(entries, (id) => orders.find(id));
  }

  #write(changes: Changes, prevSeq: number): string | undefined {
    const { channel } = this.name;
    const { height: seq, timeMs } = changes.entry;
    const { epoch } = this.#services.host;
    const frame = { type: "delta", stream: this.key, channel, epoch, seq, prevSeq, timeMs };
    if (channel === "book") return this.#writeBook(changes, frame);
    const context = openSource(this.#services, this.name);
    const data = context === undefined ? undefined : sources[channel].delta(context, changes);
    if (data === undefined) return undefined;
    if (channel === "prices" || channel === "risk") {
      const text = JSON.stringify(data);
      if (text === this.#last) return undefined;
      this.#last = text;
    }
    return JSON.stringify({ ...frame, data });
  }

  #writeBook(changes: Changes, frame: { readonly seq: number; readonly prevSeq: number }): string | undefined {
    const { state } = this.#services.host;
    const market = state.marketRows.get(this.name.market!);
    if (market === undefined || !changes.markets.has(market)) return undefined;
    const before = this.#sides!;
    const after = this.#readSides();
    const data = diffSides(before, after);
    if (data === undefined) return undefined;
    this.#sides = after;
    const text = JSON.stringify({ ...frame, data, checksum: checksumOf(after) });
    this.#sent.push({ seq: frame.seq, prevSeq: frame.prevSeq, text });
    if (this.#sent.length > BOOK_KEPT) this.#sent.shift();
    return text;
  }

  #readSides(): BookSides {
    const { state } = this.#services.host;
    const market = state.marketRows.get(this.name.market!);
    return market === undefined ? { bids: [], asks: [] } : readSides(state, market, this.name.depth ?? 50);
  }
}
