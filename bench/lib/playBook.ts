/**
 * Plays a stream to a book. There is one loop for each kind of book, so that the calls of one do not slow down those of
 * another: a loop that has seen several classes is compiled for all of them.
 */
import { OrderBook, Side } from "nodejs-order-book";
import { FLAG_SELL } from "../../src/venue/engine/state/schema.ts";
import { type BookStream, OPERATION } from "./bookStream.ts";
import type { EngineBook } from "./engineBook.ts";
import type { FillLog } from "./fillLog.ts";
import type { PlainBook } from "./plainBook.ts";

export function playEngine(book: EngineBook, stream: BookStream, from: number, to: number): void {
  const { kinds, sides, prices, sizes, ids } = stream;
  for (let at = from; at < to; at++) {
    const kind = kinds[at]!;
    if (kind === OPERATION.limit) book.limit(ids[at]!, sides[at]!, prices[at]!, sizes[at]!);
    else if (kind === OPERATION.cancel) book.cancel(ids[at]!);
    else book.market(sides[at]!, sizes[at]!);
  }
}

export function playPlain(book: PlainBook, stream: BookStream, from: number, to: number): void {
  const { kinds, sides, prices, sizes, ids } = stream;
  for (let at = from; at < to; at++) {
    const kind = kinds[at]!;
    if (kind === OPERATION.limit) book.limit(ids[at]!, sides[at]!, prices[at]!, sizes[at]!);
    else if (kind === OPERATION.cancel) book.cancel(ids[at]!);
    else book.market(sides[at]!, sizes[at]!);
  }
}

/** The npm package `nodejs-order-book`, with its fills read from what its calls return. */
export class PeerBook {
  readonly book = new OrderBook();
  private readonly log: FillLog;

  constructor(log: FillLog) {
    this.log = log;
  }

  limit(id: string, side: number, price: number, size: number): void {
    const result = this.book.limit({ id, side: side === FLAG_SELL ? Side.SELL : Side.BUY, price, size });
    // The package lists the incoming order among the finished and partly filled ones, too.
    for (const maker of result.done) if (maker.id !== id) this.logFill(maker, maker.size);
    const { partial } = result;
    if (partial !== null && partial.id !== id) this.logFill(partial, result.partialQuantityProcessed);
  }

  market(side: number, size: number): void {
    const result = this.book.market({ side: side === FLAG_SELL ? Side.SELL : Side.BUY, size });
    for (const maker of result.done) this.logFill(maker, maker.size);
    if (result.partial !== null) this.logFill(result.partial, result.partialQuantityProcessed);
  }

  private logFill(maker: { readonly id: string }, size: number): void {
    this.log.add(Number(maker.id), (maker as { readonly price?: number }).price ?? 0, size);
  }
}

/** @param names ids as the text that the package takes, made before anything is timed */
export function playPeer(peer: PeerBook, stream: BookStream, names: readonly string[], from: number, to: number): void {
  const { kinds, sides, prices, sizes } = stream;
  for (let at = from; at < to; at++) {
    const kind = kinds[at]!;
    if (kind === OPERATION.limit) peer.limit(names[at]!, sides[at]!, prices[at]!, sizes[at]!);
    else if (kind === OPERATION.cancel) peer.book.cancel(names[at]!);
    else peer.market(sides[at]!, sizes[at]!);
  }
}
