import { channels, nameStream, type StreamName } from "../../../client/api/socket/channels.ts";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import { BOOK_BLOCKS } from "../../history/bookChanges.ts";
import { runToEnd, type Slices } from "../../history/slices.ts";
import type { BlockEntry } from "../../host/host.ts";
import type { Reader } from "../services/access.ts";
import type { Services } from "../services/services.ts";
import { type BookSides, checksumOf, diffSides, readSides } from "./bookSides.ts";
import { type Changes, changesOfBlock, collectChanges } from "./changes.ts";
import { resend } from "./pastBook.ts";
import { hashAt } from "./position.ts";
import { rebuildOldBooks } from "./rebuildOldBooks.ts";
import { isAboutAccounts, isFromBlock, openSource, sources } from "./sources.ts";

/** Blocks over which a stream may be resumed. */
export const RESUME_BLOCKS = BOOK_BLOCKS;
/**
 * Longest message of a block's list, in characters. Beyond it a client starts the stream again: a text of hundreds of
 * megabytes for each stream would be a larger load than the block.
 */
const MESSAGE_MOST = 16 << 20;
/** In place of a message that is too long. */
export const TOO_LONG = Symbol("a message that is too long");
/** Items of a message that are written before other work may come between. */
const SLICE_ITEMS = 500;
/** Most text that one resume may send. */
const RESUME_BYTES = 1 << 20;

/**
 * One stream while at least one client follows it. Each message is written once for all followers. `seq` of a message
 * is the height of its block, so it is a function of the chain. `prevSeq` is the `seq` of the message before: a client
 * with a smaller number has missed a message.
 */
export class Stream {
  readonly key: string;
  /** Separates the stream from others of its key, whose messages carry what another reader may see. */
  readonly shared: string;
  readonly name: StreamName;
  readonly kind: "state" | "events";
  readonly isAccount: boolean;
  /** `seq` of the last message; at first, the height at which the first client subscribed. */
  lastSeq: number;
  readonly #services: Services;
  readonly #messageMost: number;
  readonly reader: Reader;
  /** Of a book: the levels in view after the last message. */
  #sides: BookSides | undefined;
  /** Of a state stream with one item: its last text. */
  #last = "";

  constructor(services: Services, name: StreamName, reader: Reader, messageMost: number = MESSAGE_MOST) {
    this.#services = services;
    this.#messageMost = messageMost;
    this.reader = reader;
    this.name = name;
    this.key = nameStream(name);
    this.shared = nameShared(name, reader);
    const { kind, about } = channels[name.channel];
    this.kind = kind;
    this.isAccount = about === "account";
    this.lastSeq = services.host.state.height;
    if (name.channel === "book") this.#sides = this.#readSides();
  }

  /** The present state of the stream. */
  snapshot(): string {
    const { state, epoch } = this.#services.host;
    const sides = this.#sides;
    const context = openSource(this.#services, this.name, this.reader)!;
    const { channel } = this.name;
    const data = channel === "book" ? sides! : sources[channel].snapshot(context);
    const checksum = sides === undefined ? {} : { checksum: checksumOf(sides) };
    const { height: seq, timeMs } = state;
    const hash = getHead(state);
    return JSON.stringify({ type: "snapshot", stream: this.key, channel, epoch, seq, hash, timeMs, data, ...checksum });
  }

  /** The change of a block as the message for all followers; undefined if it changed nothing here. */
  *advance(changes: Changes): Slices<string | typeof TOO_LONG | undefined> {
    const text = yield* this.#write(changes, this.lastSeq);
    if (text === undefined) return undefined;
    this.lastSeq = changes.entry.height;
    return text;
  }

  /**
   * The messages after `seq`; undefined if they are no longer known, or are more than may wait for a peer. State
   * streams send one message; others and books send one per block, as they did at the time.
   */
  resume(seq: number): string[] | undefined {
    const { height } = this.#services.host.state;
    if (seq > height || height - seq > RESUME_BLOCKS) return undefined;
    const missed: string[] = [];
    let bytes = 0;
    let last = seq;
    for (const message of this.#resend(seq)) {
      if (message === undefined) return undefined;
      missed.push(message.text);
      bytes += message.text.length;
      last = message.seq;
      if (bytes > RESUME_BYTES) return undefined;
    }
    // No message followed, so the message before the next one is not newer, even if others subscribed later.
    this.lastSeq = Math.min(this.lastSeq, last);
    return missed;
  }

  /**
   * Cost of resuming from `seq`, in addition to the skipped blocks: for a book its levels and their changes since, and
   * the blocks to apply again if the service does not know the book of that height yet.
   */
  costOfPast(seq: number): number {
    const { host, history } = this.#services;
    if (this.name.channel !== "book" || seq >= host.state.height) return 0;
    const { books, state } = history.read();
    const market = state.marketRows.get(this.name.market!);
    if (market === undefined) return 0;
    const isUnknown = seq < books.fromHeight && !books.isRebuilt;
    const replayed = isUnknown ? Math.min(BOOK_BLOCKS, books.fromHeight) : 0;
    return books.costOf(market, seq) + replayed;
  }

  /** Messages after `seq`, oldest first; undefined in place of one that is not available. */
  *#resend(seq: number): Generator<{ readonly seq: number; readonly text: string } | undefined> {
    const { host, history } = this.#services;
    if (seq === host.state.height) return;
    const past = history.read();
    const { channel } = this.name;
    if (channel === "book") {
      yield* this.#resendBook(seq);
      return;
    }
    const entries: BlockEntry[] = [];
    if (!isFromBlock(channel) && seq + 1 < past.oldest) yield undefined;
    if ((sources[channel].forgottenHeight?.(past) ?? 0) > seq) yield undefined;
    for (let at = seq + 1; at <= host.state.height; at++) {
      const entry = host.block(at);
      if (entry === undefined) yield undefined;
      else if (this.kind === "state") entries.push(entry);
      else {
        const text = runToEnd(this.#write(changesOfBlock(entry), seq));
        if (text === undefined) continue;
        if (text === TOO_LONG) yield undefined;
        else yield { seq: at, text };
        seq = at;
      }
    }
    if (this.kind === "events") return;
    const text = runToEnd(this.#write(collectChanges(entries, past), seq));
    if (text === TOO_LONG) yield undefined;
    else if (text !== undefined) yield { seq: host.state.height, text };
  }

  *#resendBook(seq: number): Generator<{ readonly seq: number; readonly text: string } | undefined> {
    const { host, history } = this.#services;
    const { books, state } = history.read();
    const market = state.marketRows.get(this.name.market!);
    if (market === undefined) return;
    if (seq < books.fromHeight) rebuildOldBooks(host, books);
    if (seq < books.fromHeight) yield undefined;
    const about = { market, rules: state.parameters[market]!, depth: this.name.depth ?? 50 };
    let prevSeq = seq;
    for (const { height, timeMs, data, checksum } of resend(books, about, seq)) {
      const hash = hashAt(host, height);
      if (hash === undefined) {
        yield undefined;
        return;
      }
      const frame = this.#frame({ height, timeMs, hash }, prevSeq);
      prevSeq = height;
      yield { seq: height, text: JSON.stringify({ ...frame, data, checksum }) };
    }
  }

  #frame({ height: seq, timeMs, hash }: Pick<BlockEntry, "height" | "timeMs" | "hash">, prevSeq: number) {
    const { epoch } = this.#services.host;
    return { type: "delta", stream: this.key, channel: this.name.channel, epoch, seq, hash, prevSeq, timeMs };
  }

  *#write(changes: Changes, prevSeq: number): Slices<string | typeof TOO_LONG | undefined> {
    const { channel } = this.name;
    const frame = this.#frame(changes.entry, prevSeq);
    if (channel === "book") return this.#writeBook(changes, frame);
    const context = openSource(this.#services, this.name, this.reader);
    if (context === undefined) return undefined;
    const source = sources[channel];
    if ("items" in source) {
      return yield* writeItems(frame, source.items(context, changes), this.#messageMost);
    }
    const data = source.delta(context, changes);
    if (data === undefined) return undefined;
    if (channel === "prices" || channel === "risk") {
      const text = JSON.stringify(data);
      if (text === this.#last) return undefined;
      this.#last = text;
    }
    return JSON.stringify({ ...frame, data });
  }

  #writeBook(changes: Changes, frame: object): string | undefined {
    const { state } = this.#services.host;
    const market = state.marketRows.get(this.name.market!);
    if (market === undefined || !changes.markets.has(market)) return undefined;
    const before = this.#sides!;
    const after = this.#readSides();
    const data = diffSides(before, after);
    if (data === undefined) return undefined;
    this.#sides = after;
    return JSON.stringify({ ...frame, data, checksum: checksumOf(after) });
  }

  #readSides(): BookSides {
    const { state } = this.#services.host;
    const market = state.marketRows.get(this.name.market!);
    return market === undefined ? { bids: [], asks: [] } : readSides(state, market, this.name.depth ?? 50);
  }
}

/** A message with a list, item by item; undefined without items. */
function* writeItems(
  frame: object,
  items: Iterable<unknown>,
  most: number,
): Slices<string | typeof TOO_LONG | undefined> {
  let text = "";
  let count = 0;
  for (const item of items) {
    text += `${count === 0 ? "" : ","}${JSON.stringify(item)}`;
    if (text.length > most) return TOO_LONG;
    if (++count % SLICE_ITEMS === 0) yield;
  }
  return count === 0 ? undefined : `${JSON.stringify(frame).slice(0, -1)},"data":[${text}]}`;
}

/** Name of a shared stream: its key, and the reader if its messages differ by reader. */
export function nameShared(name: StreamName, { isUnlimited, address }: Reader): string {
  const key = nameStream(name);
  return isUnlimited || !isAboutAccounts(name.channel) ? key : `${key} ${address ?? "none"}`;
}
