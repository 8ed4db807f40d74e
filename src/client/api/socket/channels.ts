import { type Static, type TSchema, Type } from "typebox";
import { AccountRisk, Balance, Position } from "../schemas/accounts.ts";
import { Authorization } from "../schemas/authorizations.ts";
import { FundingRate, InsuranceChange, InsuranceFund, Liquidation } from "../schemas/liquidations.ts";
import { BookLevel, Fill, Market, Prices, Trade } from "../schemas/markets.ts";
import { Intent, Order } from "../schemas/orders.ts";
import { Block, BlockTransaction, Event } from "../schemas/transactions.ts";

/** Subject of a stream, in addition to its channel. */
export type ChannelKey = "none" | "market" | "book" | "account";

/**
 * One channel. `state`: a delta holds the present value of everything that changed, so one delta may replace several.
 * `events`: a delta holds the events of one block.
 */
export interface Channel {
  readonly about: ChannelKey;
  readonly kind: "state" | "events";
  readonly doc: string;
  readonly snapshot: TSchema;
  readonly delta: TSchema;
}

const BookSides = Type.Object(
  {
    bids: Type.Array(BookLevel, { description: "From the best price down; in a delta, those that changed." }),
    asks: Type.Array(BookLevel, { description: "From the best price up; in a delta, those that changed." }),
  },
  { $id: "BookSides", description: "Levels of a book. In a delta a level of size 0 is gone." },
);

const list = <S extends TSchema>(item: S) => Type.Array(item);

export const channels = {
  blocks: {
    about: "none",
    kind: "events",
    doc: "Blocks. The delta of a height is the last message of that height on a connection: after it, every stream is up to date.",
    snapshot: Block,
    delta: Block,
  },
  events: {
    about: "none",
    kind: "events",
    doc: "Events of blocks, in their order; the snapshot has none. Where accounts are read by session: those about the account of the session, and those about no account.",
    snapshot: list(Event),
    delta: list(Event),
  },
  markets: {
    about: "none",
    kind: "state",
    doc: "Definitions of markets.",
    snapshot: list(Market),
    delta: list(Market),
  },
  prices: { about: "market", kind: "state", doc: "Price references of a market.", snapshot: Prices, delta: Prices },
  book: {
    about: "book",
    kind: "state",
    doc: "The book of a market, to a depth. Levels that come into view by a change are in the delta, those that leave it have size 0.",
    snapshot: BookSides,
    delta: BookSides,
  },
  trades: {
    about: "market",
    kind: "events",
    doc: "Trades of a market, oldest first; the snapshot has the last 50.",
    snapshot: list(Trade),
    delta: list(Trade),
  },
  funding: {
    about: "market",
    kind: "events",
    doc: "Funding rates of a market as they are settled; the snapshot has the last one.",
    snapshot: list(FundingRate),
    delta: list(FundingRate),
  },
  liquidations: {
    about: "none",
    kind: "state",
    doc: "Liquidations of the venue with each of their steps; the snapshot has those that are open. Where accounts are read by session: those of the account of the session.",
    snapshot: list(Liquidation),
    delta: list(Liquidation),
  },
  insurance: {
    about: "none",
    kind: "events",
    doc: "Changes of the insurance fund. Where accounts are read by session, `account` is null but for the account of the session.",
    snapshot: InsuranceFund,
    delta: list(InsuranceChange),
  },
  orders: {
    about: "account",
    kind: "state",
    doc: "Orders of an account: the snapshot has the open ones, a delta each order that changed.",
    snapshot: list(Order),
    delta: list(Order),
  },
  fills: {
    about: "account",
    kind: "events",
    doc: "Fills of an account, oldest first; the snapshot has the last 50.",
    snapshot: list(Fill),
    delta: list(Fill),
  },
  positions: {
    about: "account",
    kind: "state",
    doc: "Positions of an account that fills, funding or settings changed; one that was closed has size 0.",
    snapshot: list(Position),
    delta: list(Position),
  },
  balances: {
    about: "account",
    kind: "state",
    doc: "Balances of an account's subaccounts that changed.",
    snapshot: list(Balance),
    delta: list(Balance),
  },
  risk: {
    about: "account",
    kind: "state",
    doc: "Risk state of an account: whenever something of it, or a mark of a market that it is in, has changed.",
    snapshot: list(AccountRisk),
    delta: list(AccountRisk),
  },
  transactions: {
    about: "account",
    kind: "events",
    doc: "Transactions of an account that committed, with their outcome.",
    snapshot: list(BlockTransaction),
    delta: list(BlockTransaction),
  },
  intents: {
    about: "account",
    kind: "state",
    doc: "Conditional intents of an account: the snapshot has the live ones, a delta each that changed.",
    snapshot: list(Intent),
    delta: list(Intent),
  },
  accountLiquidations: {
    about: "account",
    kind: "state",
    doc: "Liquidations of an account.",
    snapshot: list(Liquidation),
    delta: list(Liquidation),
  },
  authorizations: {
    about: "account",
    kind: "state",
    doc: "Grants that an account gave or holds.",
    snapshot: list(Authorization),
    delta: list(Authorization),
  },
} as const satisfies Readonly<Record<string, Channel>>;

export type Channels = typeof channels;
export type ChannelName = keyof Channels;
export const CHANNEL_NAMES = Object.keys(channels) as readonly ChannelName[];
export type SnapshotOf<C extends ChannelName> = Static<Channels[C]["snapshot"]>;
export type DeltaOf<C extends ChannelName> = Static<Channels[C]["delta"]>;

export const BOOK_DEPTHS = [10, 50, "full"] as const;
export type BookDepth = (typeof BOOK_DEPTHS)[number];

/** What a stream is, in parts. */
export interface StreamName {
  readonly channel: ChannelName;
  readonly market?: string;
  /** Lower case. */
  readonly address?: string;
  readonly depth?: BookDepth;
}

/** The one name of a stream: `blocks`, `trades/BTC-PERP`, `book/BTC-PERP/50`, `orders/0x…`. */
export function nameStream({ channel, market, address, depth }: StreamName): string {
  switch (channels[channel].about) {
    case "none":
      return channel;
    case "market":
      return `${channel}/${market}`;
    case "book":
      return `${channel}/${market}/${depth ?? 50}`;
    case "account":
      return `${channel}/${address}`;
  }
}
