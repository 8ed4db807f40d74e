import { channels, nameStream, type StreamName } from "../../../client/api/socket/channels.ts";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import { BOOK_BLOCKS } from "../../history/bookChanges.ts";
import type { BlockEntry } from "../../host/host.ts";
import type { Reader } from "../access.ts";
import type { Services } from "../services.ts";
import { type BookSides, checksumOf, diffSides, readSides } from "./bookSides.ts";
import { type Changes, changesOfBlock, collectChanges } from "./changes.ts";
import { resend } from "./pastBook.ts";
import { hashAt } from "./position.ts";
import { rebuildOldBooks } from "./rebuildOldBooks.ts";
import { isAboutAccounts, isFromBlock, openSource, sources } from "./sources.ts";

/** Blocks over which a stream may be resumed. */
export const RESUME_BLOCKS = BOOK_BLOCKS;
/** Text of messages that one resume may bring. */
const RESUME_BYTES = 1 << 20;

/**
 * One stream, while anybody follows it. Its messages are written once, whoever reads them. `seq` of a message is the
 * height of its block, so it is a function of the chain, and `prevSeq` the one before: whoever holds a smaller number
 * than `prevSeq` has missed something.
 */
export class Stream {
  readonly key: string;
  /** Tells the stream apart from others of its key whose messages carry what another reader may see. */
  readonly shared: string;
  readonly name: StreamName;
  readonly kind: "state" | "events";
  readonly isAccount: boolean;
  /** `seq` of the last message; at first, the height at which somebody began to follow. */
  lastSeq: number;
  readonly #services: Services;
  readonly reader: Reader;
  /** Of a book: what was in view after the last message. */
  #sides: BookSides | undefined;
  /** Of a stream of state that has one item: the text of the last one. */
  #last = "";

  constructor(services: Services, name: StreamName, reader: Reader) {
    this.#services = services;
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

  /** The stream as it is. */
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

  /** What a block changed, as the message for everybody; undefined where it changed nothing here. */
  advance(changes: Changes): string | undefined {
    const text = this.#write(changes, this.lastSeq);
    if (text === undefined) return undefined;
    this.lastSeq = changes.entry.height;
    return text;
  }

  /**
   * What came behind `seq`, as messages; undefined where that is not known any more, or is more than a peer may have
   * waiting. Streams of state tell it in one message, others and books block by block, as they did at the time.
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
    // Nothing came behind that, so the message before the next one is not newer, whenever it was that others began.
    this.lastSeq = Math.min(this.lastSeq, last);
    return missed;
  }

  /**
   * Work that resuming from `seq` takes besides the blocks that it skips: of a book its levels and their changes since,
   * and blocks to apply again where the service does not know the book of that height yet.
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

  /** Messages behind `seq`, oldest first; undefined in place of one that cannot be had. */
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
        const text = this.#write(changesOfBlock(entry), seq);
        if (text === undefined) continue;
        seq = at;
        yield { seq, text };
      }
    }
    if (this.kind === "events") return;
    const text = this.#write(
      collectChanges(entries, (id) => past.orders.find(id)),
      seq,
    );
    if (text !== undefined) yield { seq: host.state.height, text };
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

  #write(changes: Changes, prevSeq: number): string | undefined {
    const { channel } = this.name;
    const frame = this.#frame(changes.entry, prevSeq);
    if (channel === "book") return this.#writeBook(changes, frame);
    const context = openSource(this.#services, this.name, this.reader);
    const data = context === undefined ? undefined : sources[channel].delta(context, changes);
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

/** What connections share: the stream, and the reader where its messages differ by reader. */
export function nameShared(name: StreamName, { isUnlimited, address }: Reader): string {
  const key = nameStream(name);
  return isUnlimited || !isAboutAccounts(name.channel) ? key : `${key} ${address ?? "none"}`;
}
