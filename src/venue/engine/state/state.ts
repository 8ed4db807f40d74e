import { Journal } from "../../../ground/collections/journal.ts";
import { NumberIndex } from "../../../ground/collections/numberIndex.ts";
import { copyTable, createTable } from "../../../ground/collections/table.ts";
import type { AccountKey } from "../../../protocol/accountKey.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { readNonceScheme } from "../../../protocol/nonceScheme.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { Receipts } from "../../../protocol/receipt.ts";
import type { Digester } from "../../../protocol/typedDataDigest.ts";
import { EventWriters } from "../events/eventWriters.ts";
import { type Backstop, listBackstops } from "./backstops.ts";
import type { Book } from "./book.ts";
import { ClientIds } from "./clientIds.ts";
import { EffectsChain } from "./effectsChain.ts";
import { Expiries } from "./expiries.ts";
import { Grants } from "./grants.ts";
import { Health } from "./health.ts";
import { InsuranceDay } from "./insuranceDay.ts";
import { IntentIndex } from "./intentIndex.ts";
import { OrderIndex } from "./orderIndex.ts";
import { OutflowGates } from "./outflowGates.ts";
import { OwnerIndex } from "./ownerIndex.ts";
import { PaidFunding } from "./paidFunding.ts";
import { RiskIndex } from "./riskIndex.ts";
import {
  type AccountRow,
  type Accounts,
  type Authorizations,
  accountTable,
  authorizationTable,
  type Extras,
  extraTable,
  type Intents,
  intentTable,
  type Lanes,
  laneTable,
  type MarketRow,
  type Markets,
  marketTable,
  type Orders,
  type Owners,
  orderTable,
  ownerTable,
  type PositionRow,
  type Positions,
  positionTable,
  type Sources,
  sourceTable,
  type Volumes,
  volumeTable,
} from "./schema.ts";
import { Totals } from "./totals.ts";
import { UsedNonces } from "./usedNonces.ts";

/**
 * A venue: its tables, indexes over them, and values derived from them. Only `applyBlock` changes one. The engine owns
 * the state it is given; `fork` makes an independent copy.
 */
export class State {
  readonly genesis: Genesis;
  owners: Owners;
  accounts: Accounts;
  positions: Positions;
  orders: Orders;
  /** Values that few orders have, see `book/extras.ts`. */
  extras: Extras;
  intents: Intents;
  volumes: Volumes;
  markets: Markets;
  authorizations: Authorizations;
  lanes: Lanes;
  /** Addresses of agents: rows like those of owners, without accounts. */
  agents: Owners;
  agentIndex: OwnerIndex = new OwnerIndex();
  /** Values of grants apart from their columns. */
  grants: Grants = new Grants();
  /** Lane by account and agent, see `authorization/lanes.ts`. */
  laneIndex: NumberIndex = new NumberIndex();
  sources: Sources;
  /** Of each market, by row. */
  parameters: MarketParameters[] = [];
  /** Derived: some market has fee tiers, so volume is counted. */
  tiered = false;
  marketNames: string[] = [];
  marketRows: Map<string, MarketRow> = new Map();
  books: Book[] = [];
  ownerIndex: OwnerIndex = new OwnerIndex();
  /** Position by account * 65536 + market. */
  positionIndex: NumberIndex = new NumberIndex();
  orderIndex: OrderIndex = new OrderIndex();
  clients: ClientIds = new ClientIds();
  /** Client intent ids by row. */
  intentTexts: string[] = [];
  totals: Totals = new Totals();
  /** Payments of the insurance fund in the last day with one. */
  insured: InsuranceDay = new InsuranceDay();
  /** How far the venue's gates before withdrawals are used or shut. */
  readonly outflow: OutflowGates;
  /** Accounts that take positions over, by account id; from genesis. */
  readonly backstops: readonly Backstop[];
  /** Next nonces of the authorities, in the order of AUTHORITIES. */
  authorityNonces: Float64Array = new Float64Array(3);
  /** Window of trading lanes, 0 where they are sequential (NON-2); from genesis. */
  readonly nonceWindow: number;
  /** In window mode: used nonces of trading lanes, of owners by account and of agents by lane. */
  ownerNonces: UsedNonces;
  agentNonces: UsedNonces;
  height = 0;
  timeMs = 0;
  /** One more than the transactions committed so far; order ids are made of it, and none is 0. */
  consumed = 1;
  events: EventWriters = new EventWriters();
  chain: EffectsChain = new EffectsChain();
  /** Of the last block; overwritten by the next. */
  receipts: Receipts = new Receipts();
  /** Derived: what ends by itself. */
  expiries: Expiries = new Expiries();
  /** Derived: which intents must be checked. */
  intentIndex: IntentIndex = new IntentIndex();
  /** Derived: which accounts must be checked for liquidation. */
  risk: RiskIndex = new RiskIndex();
  /** Whether each market funded when this block began, by row. Not state: only this block reads it (FND-4). */
  readonly fundedBefore: boolean[] = [];
  /** Cache: hashes transactions of this chain. */
  digester: Digester | undefined = undefined;
  /** Cache: the one text of the genesis. */
  genesisText: string | undefined = undefined;
  /** Cache: key of the house account that the last flow named. */
  houseKey: AccountKey | undefined = undefined;
  /** On while an attempt runs, see `attempt.ts`; and position rows that it emptied. */
  readonly journal: Journal = new Journal();
  readonly emptied: PositionRow[] = [];
  /** Scratch of margin computations. */
  health: Health = new Health();
  isolatedHealth: Health = new Health();
  /** Scratch of funding payments. */
  readonly paidFunding: PaidFunding = new PaidFunding();

  /** @param source whose tables are copied; without one they are empty */
  constructor(genesis: Genesis, source?: State) {
    if (source === undefined) {
      this.owners = createTable(ownerTable);
      this.accounts = createTable(accountTable);
      this.positions = createTable(positionTable);
      this.orders = createTable(orderTable, 64);
      this.extras = createTable(extraTable);
      this.intents = createTable(intentTable);
      this.volumes = createTable(volumeTable);
      this.markets = createTable(marketTable, 4);
      this.authorizations = createTable(authorizationTable, 4);
      this.lanes = createTable(laneTable, 4);
      this.agents = createTable(ownerTable, 4);
      this.sources = createTable(sourceTable, 4);
    } else {
      this.owners = copyTable(ownerTable, source.owners);
      this.accounts = copyTable(accountTable, source.accounts);
      this.positions = copyTable(positionTable, source.positions);
      this.orders = copyTable(orderTable, source.orders);
      this.extras = copyTable(extraTable, source.extras);
      this.intents = copyTable(intentTable, source.intents);
      this.volumes = copyTable(volumeTable, source.volumes);
      this.markets = copyTable(marketTable, source.markets);
      this.authorizations = copyTable(authorizationTable, source.authorizations);
      this.lanes = copyTable(laneTable, source.lanes);
      this.agents = copyTable(ownerTable, source.agents);
      this.sources = copyTable(sourceTable, source.sources);
    }
    this.genesis = genesis;
    this.backstops = listBackstops(genesis);
    this.outflow = new OutflowGates(genesis.outflow);
    this.timeMs = genesis.timeMs;
    this.nonceWindow = readNonceScheme(genesis.nonces?.trading ?? "sequential") ?? 0;
    this.ownerNonces = new UsedNonces(this.nonceWindow);
    this.agentNonces = new UsedNonces(this.nonceWindow);
  }
}

/** Most markets of a venue: the position index packs (account, market) into one number. */
export const MARKETS_MAX = 65_536;

/** The position of an account in a market, NONE where it has none. */
export function getPosition(state: State, account: AccountRow, market: MarketRow): PositionRow {
  return state.positionIndex.find(account * MARKETS_MAX + market) as PositionRow;
}
