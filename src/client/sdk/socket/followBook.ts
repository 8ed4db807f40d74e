import type { ClientError } from "../errors.ts";
import { LiveBook } from "./liveBook.ts";
import type { StreamKey } from "./messages.ts";
import type { StreamClient, Subscription } from "./streamClient.ts";

/** A local book that follows the venue's. */
export interface FollowedBook {
  /** Levels, best price first; empty until it is ready, and while it is rebuilt. */
  readonly book: LiveBook;
  /** Whether it is the venue's book as of `height`. */
  readonly isReady: boolean;
  readonly height: number;
  /** Number of checksum mismatches. */
  readonly corruptions: number;
  /** Resolves when it is ready; rejects if the venue does not serve it. */
  ready(): Promise<void>;
  close(): void;
}

/** The book to follow, and the callbacks for its changes. */
export interface FollowBookOptions {
  readonly market: string;
  /** Default: 50. */
  readonly depth?: 10 | 50 | "full";
  /** Called after each change, and when the book is rebuilt. */
  readonly onChange?: (followed: FollowedBook) => void;
  readonly onError?: (error: ClientError) => void;
}

/**
 * Follows the book of a market. Each change is verified with the venue's checksum; after a mismatch a snapshot is
 * requested.
 */
export function followBook(streams: StreamClient, options: FollowBookOptions): FollowedBook {
  const { market, depth, onChange, onError } = options;
  const book = new LiveBook();
  let isReady = false;
  let height = 0;
  let corruptions = 0;
  // A venue in this process may answer synchronously, before the subscription is assigned.
  let subscription: Subscription | undefined;
  const waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let failure: ClientError | undefined;

  const followed: FollowedBook = {
    book,
    get isReady() {
      return isReady;
    },
    get height() {
      return height;
    },
    get corruptions() {
      return corruptions;
    },
    ready: () =>
      new Promise<void>((resolve, reject) => {
        if (failure !== undefined) reject(failure);
        else if (isReady) resolve();
        else waiting.push({ resolve, reject });
      }),
    close: () => subscription?.close(),
  };

  function settle(checksum: number | undefined, seq: number): void {
    if (checksum !== undefined && checksum !== book.checksum()) {
      corruptions++;
      subscription?.resync();
      return;
    }
    isReady = true;
    height = seq;
    for (const { resolve } of waiting.splice(0)) resolve();
    onChange?.(followed);
  }

  const key: StreamKey<"book"> = { channel: "book", market, ...(depth === undefined ? {} : { depth }) };
  subscription = streams.follow(key, {
    onSnapshot({ data, checksum, seq }) {
      book.replace(data);
      settle(checksum, seq);
    },
    onDelta({ data, checksum, seq }) {
      book.apply(data);
      settle(checksum, seq);
    },
    onResync() {
      isReady = false;
      book.replace({ bids: [], asks: [] });
      onChange?.(followed);
    },
    onError(error) {
      failure = error;
      for (const { reject } of waiting.splice(0)) reject(error);
      onError?.(error);
    },
  });
  return followed;
}
