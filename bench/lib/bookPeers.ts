import { explainMissing, findPython, type Peer, runPeer } from "../peers/environments.ts";
import { AWAY } from "./bookStrategies.ts";

/** A program that quotes in a recorded order book as `createQuoter` does. */
export interface BookPeer {
  readonly name: string;
  readonly peer: Peer;
  /** In bench/peers/books. */
  readonly script: string;
  readonly words: readonly string[];
  /** Rate here to the rate there. */
  readonly target: string;
}

export interface BookRun {
  /** CPU seconds from the first event to the last. */
  readonly seconds: number;
  readonly orders: number;
  readonly fills: number;
  /** Times at which it had a best bid and no best ask, or none of both. */
  readonly blind?: number;
  readonly decisions?: number;
}

const BOOK_PEERS = {
  hftbacktest: { name: "hftbacktest", peer: "hftbacktest", script: "hftbacktest", words: [], target: ">= 0.2" },
  lrvx: { name: "lrvx", peer: "lrvx", script: "lrvx", words: [], target: ">= 1" },
  batches: {
    name: "NautilusTrader, a message at once",
    peer: "nautilus",
    script: "nautilus",
    words: ["batches"],
    target: ">= 10",
  },
  deltas: {
    name: "NautilusTrader, level by level",
    peer: "nautilus",
    script: "nautilus",
    words: ["deltas"],
    target: ">= 10",
  },
} as const satisfies Readonly<Record<string, BookPeer>>;

export type BookPeerName = keyof typeof BOOK_PEERS;

/** The programs that are installed, of those that are named. A line on the console explains each missing one, once. */
export function findBookPeers(names: readonly BookPeerName[]): BookPeer[] {
  return names.map((name) => BOOK_PEERS[name]).filter(({ peer }) => isInstalled(peer));
}

const explained = new Set<Peer>();

function isInstalled(peer: Peer): boolean {
  if (findPython(peer) !== undefined) return true;
  if (!explained.has(peer)) console.error(explainMissing(peer));
  explained.add(peer);
  return false;
}

export function runBookPeer({ peer, script, words }: BookPeer, path: string): BookRun {
  return runPeer<BookRun>(findPython(peer)!, `books/quote_${script}.py`, [path, `${AWAY}`, ...words]);
}
