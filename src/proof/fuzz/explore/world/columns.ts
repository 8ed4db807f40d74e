/**
 * What the key of a state has of each column. A column that is not listed is in the key as it is, so that a new column
 * keeps states apart until it gets a rule.
 */
import type { ColumnSpecs, TableDefinition } from "../../../../ground/collections/table.ts";
import {
  accountTable,
  authorizationTable,
  extraTable,
  intentTable,
  laneTable,
  marketTable,
  orderTable,
  ownerTable,
  positionTable,
  sourceTable,
  volumeTable,
} from "../../../../venue/engine/state/schema.ts";
import type { State } from "../../../../venue/engine/state/state.ts";

/** How a value goes into the key. */
export type Rule =
  /** As it is. */
  | "raw"
  /** A time: in whole seconds, since blocks that follow each other at once are a millisecond apart. */
  | "time"
  /** A height: its distance from the present height. */
  | "height"
  /** A height that only matters while it is to come. */
  | "ahead"
  /** Id of an order or an intent: its place among those that exist, by age. */
  | "id"
  /** Number of an open liquidation record: its place among the open ones. */
  | "record"
  /** A row, by the place of what it names. */
  | "account"
  | "owner"
  | "position"
  | "order"
  /** Only whether there is a row. */
  | "has"
  /** Left out. */
  | Left;

/** Why a column is left out. */
export interface Left {
  readonly left: string;
}

const left = (reason: string): Left => ({ left: reason });
const NONCE = left("every block of an alphabet takes the next nonce");
const LISTED = left("the rows that it leads to are listed in the order of the list");
const WRITTEN = left("written with the row that names it");

/** A table of the state with the rules of its columns. */
export interface KeyTable {
  readonly name: string;
  readonly definition: TableDefinition<number, ColumnSpecs>;
  read(state: State): { readonly [column: string]: ArrayLike<number> };
  readonly rules: Readonly<Record<string, Rule>>;
}

function keyTable(
  name: string,
  definition: unknown,
  read: (state: State) => unknown,
  rules: Readonly<Record<string, Rule>>,
): KeyTable {
  return { name, definition: definition as KeyTable["definition"], read: read as KeyTable["read"], rules };
}

const WORDS = left("addresses decide nothing; accounts go by their order of creation");
const INDEX = left("only the distance of a position from the index of its market decides, and that is written");

/** Every table, in the order in which the key has them. */
export const KEY_TABLES = {
  owners: keyTable("owners", ownerTable, (state) => state.owners, {
    w0: WORDS,
    w1: WORDS,
    w2: WORDS,
    w3: WORDS,
    w4: WORDS,
    account: LISTED,
    volume: LISTED,
  }),
  accounts: keyTable("accounts", accountTable, (state) => state.accounts, {
    owner: "owner",
    ownerNext: LISTED,
    position: LISTED,
    nonceTrading: NONCE,
    nonceRisk: NONCE,
    nonceFunds: NONCE,
    nonceAdmin: NONCE,
    queuedSince: "height",
    liquidation: "record",
    intents: LISTED,
    cancelTime: "time",
  }),
  positions: keyTable("positions", positionTable, (state) => state.positions, {
    account: "account",
    fundingHigh: INDEX,
    fundingLow: INDEX,
    queuedSince: "height",
    liquidation: "record",
    orders: LISTED,
    cooldown: "time",
    next: LISTED,
    heapPlace: "has",
  }),
  orders: keyTable("orders", orderTable, (state) => state.orders, {
    id: LISTED,
    position: "position",
    extra: WRITTEN,
    levelPrevious: "order",
    levelNext: "order",
    newer: LISTED,
    older: LISTED,
  }),
  extras: keyTable("extras", extraTable, (state) => state.extras, {
    goodTilHeight: "height",
    goodTilTime: "time",
    client: WRITTEN,
  }),
  intents: keyTable("intents", intentTable, (state) => state.intents, {
    id: LISTED,
    group: "id",
    entry: "id",
    account: "account",
    startMs: "time",
    goodTilHeight: "height",
    goodTilTime: "time",
    armedHeight: "ahead",
    newer: LISTED,
    older: LISTED,
  }),
  volumes: keyTable("volumes", volumeTable, (state) => state.volumes, { owner: LISTED, older: LISTED }),
  markets: keyTable("markets", marketTable, (state) => state.markets, {
    oracleTime: "time",
    reportedTime: "time",
    sampledTime: "time",
    settledTime: "time",
    fundingHigh: INDEX,
    fundingLow: INDEX,
  }),
  authorizations: keyTable("authorizations", authorizationTable, (state) => state.authorizations, {
    account: "account",
    ...Object.fromEntries(Array.from({ length: 8 }, (_, word) => [`i${word}`, left("names the grant")])),
    validFrom: "time",
    expiresAt: "time",
  }),
  lanes: keyTable("lanes", laneTable, (state) => state.lanes, {
    account: "account",
    nonceTrading: NONCE,
    nonceRisk: NONCE,
    nonceFunds: NONCE,
    nonceAdmin: NONCE,
  }),
  agents: keyTable("agents", ownerTable, (state) => state.agents, {
    w0: WORDS,
    w1: WORDS,
    w2: WORDS,
    w3: WORDS,
    w4: WORDS,
  }),
  sources: keyTable("sources", sourceTable, (state) => state.sources, { time: "time" }),
} as const;

/** What the key leaves out besides the columns: for the report and the decision. */
export const LEFT_OUT: readonly string[] = [
  "row numbers, free lists and freed rows; pages of the order books that are not in use",
  "nonces, unless an alphabet names one",
  "heights and ids, of which only distances and places are kept",
  "times below a second",
  "events, receipts and the head of the effects chain",
  "entries of the heaps of intents, which a fork rebuilds",
];
