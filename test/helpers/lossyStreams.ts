/**
 * Books of the SDK's client over streams that lose messages, next to the venue's own: for a test, and for the long run.
 */
import type { VenueEndpoint } from "../../src/client/api/endpoint.ts";
import { BOOK_DEPTHS } from "../../src/client/api/socket/channels.ts";
import { DEFAULT_RETRY } from "../../src/client/sdk/clock.ts";
import { type FollowedBook, followBook } from "../../src/client/sdk/socket/followBook.ts";
import { StreamClient } from "../../src/client/sdk/socket/streamClient.ts";
import type { Transport } from "../../src/client/sdk/transport/transport.ts";
import { Random } from "../../src/ground/math/random.ts";
import { createService } from "../../src/server/face/service.ts";
import { viewBook } from "../../src/server/face/views/book.ts";
import { ManualClock } from "../client/sdk/helpers/fakeStream.ts";
import { hostOfFlow } from "../server/helpers/flowHost.ts";

export interface LossyRun {
  /** Deltas that the venue sent, and those of them that were lost on the way. */
  readonly deltas: number;
  readonly lost: number;
  /** Gaps that clients found. */
  readonly gaps: number;
  /** Times that a book was compared with the venue's after a heartbeat, and found to be another, or not ready. */
  readonly compared: number;
  readonly wrong: number;
  /** Changes that were applied to a book that they did not fit: a gap that was not found in time. */
  readonly corruptions: number;
}

export interface LossyOptions {
  readonly seed: number;
  readonly deltas: number;
  readonly clients: number;
  /** One message of so many is lost. */
  readonly oneOf: number;
  readonly onProgress?: (deltas: number) => void;
}

/** Runs a flow until so many deltas were sent. Chains are short: one that has become quiet is followed by another. */
export async function runLossy({ seed, deltas, clients, oneOf, onProgress }: LossyOptions): Promise<LossyRun> {
  const total = { deltas: 0, lost: 0, gaps: 0, compared: 0, wrong: 0, corruptions: 0 };
  const random = Random.ofSeed([seed]);
  for (let chain = 0; total.deltas < deltas; chain++) {
    const { host, flow } = hostOfFlow(seed * 1_000 + chain, 20);
    const service = createService(host.asHost, { limits: "off" });
    const clock = new ManualClock();
    const isLost = (): boolean => {
      const lost = random.below(oneOf) === 0;
      if (lost) total.lost++;
      return lost;
    };
    const connect: VenueEndpoint["connect"] = (listener) =>
      service.endpoint.connect({
        ...listener,
        onMessage(text) {
          if (!text.startsWith('{"type":"delta"')) listener.onMessage(text);
          else {
            total.deltas++;
            if (!isLost()) listener.onMessage(text);
          }
        },
      });
    const transport: Transport = {
      kind: "inProcess",
      timeoutMs: 1_000,
      hasSocket: true,
      request: (request) => service.endpoint.request(request),
      connect,
    };
    const followed: { readonly streams: StreamClient; readonly market: string; readonly book: FollowedBook }[] = [];
    const depths: { readonly depth: 10 | 50 | 500 }[] = [];
    for (let client = 0; client < clients; client++) {
      const streams = new StreamClient({ transport, clock, retry: DEFAULT_RETRY, token: () => undefined });
      for (const market of host.state.marketNames) {
        const depth = BOOK_DEPTHS[client % BOOK_DEPTHS.length]!;
        followed.push({ streams, market, book: followBook(streams, { market, depth }) });
        depths.push({ depth: depth === "full" ? 500 : depth });
      }
    }
    await clock.pass(0);
    for (let round = 0; round < 12 && total.deltas < deltas; round++) {
      for (let block = 0; block < 20; block++) host.apply(flow.next(host.state));
      await clock.pass(0);
      // What was lost at the end of a stream shows by the next sign of life; what is asked for may be lost, too.
      for (let beat = 0; beat < 6; beat++) {
        service.hub.beat();
        await clock.pass(1_000);
      }
      for (const [place, { market, book }] of followed.entries()) {
        const { depth } = depths[place]!;
        const { bids, asks } = viewBook(host.state, host.state.marketRows.get(market)!, depth, host.epoch);
        const own = { bids: [...book.book.bids], asks: [...book.book.asks] };
        total.compared++;
        if (!book.isReady || JSON.stringify(own) !== JSON.stringify({ bids, asks })) total.wrong++;
      }
      onProgress?.(total.deltas);
    }
    for (const streams of new Set(followed.map((one) => one.streams))) total.gaps += streams.gaps;
    for (const { book } of followed) {
      total.corruptions += book.corruptions;
      book.close();
    }
    service.hub.close();
  }
  return total;
}
