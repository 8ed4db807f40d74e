import type { Position } from "../../../client/api/schemas/accounts.ts";
import type { Event } from "../../../client/api/schemas/transactions.ts";
import type { ChannelName, DeltaOf, SnapshotOf, StreamName } from "../../../client/api/socket/channels.ts";
import { LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import type { Address } from "../../../protocol/fields.ts";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatPrice } from "../../../venue/formulas/text.ts";
import { addressOf, subaccountOf } from "../../../venue/reads/rows.ts";
import type { History } from "../../history/history.ts";
import type { Queue } from "../../history/queue.ts";
import { type EventPlace, EventWalk } from "../../history/walkEvents.ts";
import type { Reader } from "../services/access.ts";
import type { Services } from "../services/services.ts";
import { listAccountsOf } from "../views/accounts.ts";
import { listGrants, viewAuthorization } from "../views/authorizations.ts";
import { viewBalance } from "../views/balances.ts";
import { viewBlock, viewBlockTransaction } from "../views/blocks.ts";
import { viewIntent } from "../views/intents.ts";
import { viewFundingRate, viewInsuranceChange, viewInsuranceFund, viewLiquidationFor } from "../views/liquidations.ts";
import { listMarketRows, viewMarket, viewPrices } from "../views/markets.ts";
import { viewOrder } from "../views/orders.ts";
import { listGrantParties, viewEventFor } from "../views/participants.ts";
import { listOpenPositions, viewPosition } from "../views/positions.ts";
import { viewRisk } from "../views/risk.ts";
import { viewFills, viewTrade } from "../views/trades.ts";
import type { Changes } from "./changes.ts";

type Past = ReturnType<History["read"]>;

/** Input of a stream's content. */
export interface SourceContext {
  readonly services: Services;
  readonly state: State;
  readonly past: Past;
  /** Of streams of a market. */
  readonly market: MarketRow;
  /** Of streams of an account: its subaccounts that exist. */
  readonly accounts: readonly AccountRow[];
  readonly address: Address;
  /** Accounts that the stream's content may be about. */
  readonly reader: Reader;
}

/**
 * Content of a channel: its present state, and its changes in some blocks. Both are functions of the chain alone, so
 * two connections, or a server before and after a restart, send the same.
 */
type Source<C extends ChannelName> = {
  snapshot(context: SourceContext): SnapshotOf<C>;
  /** Entries up to this height may have been dropped. Default: none, within the known blocks. */
  forgottenHeight?(past: Past): number;
} & (
  | {
      /** Undefined if the blocks did not change it. */
      delta(context: SourceContext, changes: Changes): DeltaOf<C> | undefined;
    }
  | {
      /** Items of the delta where a block may have very many, one at a time; none if the blocks did not change it. */
      items(context: SourceContext, changes: Changes): Iterable<DeltaOf<C> extends (infer Item)[] ? Item : never>;
    }
);

/** Channels whose messages are made from blocks alone, so that no other memory limits them. */
export function isFromBlock(channel: ChannelName): boolean {
  return channel === "blocks" || channel === "transactions";
}

/** Public channels whose messages are about accounts: if accounts are read by session, each reader has its own. */
export function isAboutAccounts(channel: ChannelName): boolean {
  return channel === "events" || channel === "liquidations" || channel === "insurance";
}

/** Items of the lists with which event streams start. */
const RECENT = 50;

/** All but books, which compare two views. */
export const sources: { readonly [C in Exclude<ChannelName, "book">]: Source<C> } = {
  blocks: {
    snapshot: ({ services: { host }, state }) => {
      const entry = host.block(state.height);
      if (entry !== undefined) return viewBlock(entry, null);
      // Genesis is not a block: its height is 0, without an earlier block.
      const { height, timeMs } = state;
      const hash = getHead(state);
      return {
        height,
        hash,
        parentHash: hash,
        stateRoot: null,
        timeMs,
        proposer: null,
        transactionCount: 0,
        eventCount: 0,
        txIds: [],
      };
    },
    delta: (_context, { entry }) => viewBlock(entry, null),
  },

  events: {
    forgottenHeight: (past) => past.orders.forgottenHeight,
    snapshot: () => [],
    *items({ past, reader }, { entries }) {
      const list: Event[] = [];
      for (const entry of entries) {
        const walk = new EventWalk(entry);
        for (let isDone = false; !isDone; ) {
          isDone = walk.advance(100, (at) => {
            const event = viewEventFor(reader, past, entry, at, walk);
            if (event !== undefined) list.push(event);
          });
          yield* list.splice(0);
        }
      }
    },
  },

  markets: {
    snapshot: ({ state }) => listMarketRows(state).map((market) => viewMarket(state, market)),
    delta: ({ state }, { definitions }) =>
      some([...definitions].map((market) => viewMarket(state, market as MarketRow))),
  },

  prices: {
    snapshot: ({ state, market }) => viewPrices(state, market),
    delta: ({ state, market }, { markets }) => (markets.has(market) ? viewPrices(state, market) : undefined),
  },

  trades: {
    forgottenHeight: (past) => past.trades.forgottenHeight,
    snapshot: ({ state, past, market }) => newest(past.trades.ofMarket(market)).map((trade) => viewTrade(state, trade)),
    items: ({ state, past, market }, changes) =>
      viewEach(since(past.trades.ofMarket(market), changes), (trade) => viewTrade(state, trade)),
  },

  funding: {
    forgottenHeight: (past) => past.funding.forgottenHeight,
    snapshot: ({ state, past, market }) =>
      newest(past.funding.ofMarket(market), 1).map((record) => viewFundingRate(state, record)),
    delta: ({ state, past, market }, changes) =>
      some(since(past.funding.ofMarket(market), changes).map((record) => viewFundingRate(state, record))),
  },

  liquidations: {
    forgottenHeight: (past) => past.liquidations.forgottenHeight,
    snapshot: ({ state, past, reader }) =>
      [...past.liquidations.newestFirst()]
        .filter(({ stage }) => stage !== LIQUIDATION_STAGE.completed && stage !== LIQUIDATION_STAGE.recovered)
        .filter(({ account }) => reader.sees(addressOf(state, account as AccountRow)))
        .map((record) => viewLiquidationFor(reader, state, record)),
    delta: ({ state, past, reader }, { liquidations }) =>
      some(
        found(liquidations, (id) => past.liquidations.find(id))
          .filter(({ account }) => reader.sees(addressOf(state, account as AccountRow)))
          .map((record) => viewLiquidationFor(reader, state, record)),
      ),
  },

  insurance: {
    forgottenHeight: (past) => past.insurance.forgottenHeight,
    snapshot: ({ state, past }) => viewInsuranceFund(state, past.insurance),
    delta: ({ state, past, reader }, changes) =>
      some(
        since(past.insurance.list, changes).map((change) => viewInsuranceChange(state, past.insurance, change, reader)),
      ),
  },

  orders: {
    forgottenHeight: (past) => past.orders.forgottenHeight,
    snapshot: ({ state, past, accounts }) =>
      accounts
        .flatMap((account) => [...past.orders.ofAccount(account)])
        .filter(({ status }) => status === "open" || status === "partiallyFilled")
        .sort((a, b) => a.id - b.id)
        .map((order) => viewOrder(state, order)),
    items: ({ state, past, accounts }, { orders }) =>
      viewEach(orders.of(accounts), (id) => viewOrder(state, past.orders.find(id)!)),
  },

  fills: {
    forgottenHeight: (past) => past.trades.forgottenHeight,
    snapshot: ({ state, past, accounts }) =>
      byEvent(
        accounts.flatMap((account) => newest(past.trades.ofAccount(account)).map((trade) => ({ trade, account }))),
      )
        .slice(-RECENT)
        .flatMap(({ trade, account }) => viewFills(state, trade, account)),
    *items({ state, past, accounts }, changes) {
      const trades = accounts.flatMap((account) =>
        since(past.trades.ofAccount(account), changes).map((trade) => ({ trade, account })),
      );
      for (const { trade, account } of byEvent(trades)) yield* viewFills(state, trade, account);
    },
  },

  positions: {
    snapshot: ({ state, past, accounts }) =>
      accounts.flatMap((account) =>
        listOpenPositions(state, account).map((at) =>
          viewPosition(state, at, past.positions.find(account, state.positions.market[at]!)),
        ),
      ),
    delta: ({ state, past, accounts }, { positions }) =>
      some(
        accounts.flatMap((account) => {
          const open = listOpenPositions(state, account);
          return [...(positions.get(account) ?? [])].map((market) => {
            const at = open.find((row) => state.positions.market[row]! === market);
            return at === undefined
              ? flatPosition(state, account, market as MarketRow)
              : viewPosition(state, at, past.positions.find(account, market));
          });
        }),
      ),
  },

  balances: {
    snapshot: ({ services, state, accounts }) =>
      accounts.map((account) => viewBalance(state, account, services.config.kind !== "mainnet")),
    delta: ({ services, state, accounts }, changes) =>
      some(
        accounts
          .filter((account) => changes.accounts.has(account))
          .map((account) => viewBalance(state, account, services.config.kind !== "mainnet")),
      ),
  },

  risk: {
    snapshot: ({ state, accounts }) => accounts.map((account) => viewRisk(state, account)),
    delta: ({ state, accounts }, changes) =>
      some(
        accounts
          .filter(
            (account) =>
              changes.accounts.has(account) ||
              listOpenPositions(state, account).some((at) => changes.markets.has(state.positions.market[at]!)),
          )
          .map((account) => viewRisk(state, account)),
      ),
  },

  transactions: {
    snapshot: () => [],
    delta: ({ address }, { entries }) =>
      some(
        entries.flatMap((entry) =>
          entry.transactions.flatMap(({ header }, index) =>
            header.account.address === address ? [viewBlockTransaction(entry, index)] : [],
          ),
        ),
      ),
  },

  intents: {
    forgottenHeight: (past) => past.intents.forgottenHeight,
    snapshot: ({ state, past, accounts }) =>
      accounts
        .flatMap((account) => [...past.intents.ofAccount(account)])
        .filter(({ endedHeight }) => endedHeight === undefined)
        .sort((a, b) => a.id - b.id)
        .map((intent) => viewIntent(state, intent)),
    items: ({ state, past, accounts }, { intents }) =>
      viewEach(intents.of(accounts), (id) => viewIntent(state, past.intents.find(id)!)),
  },

  accountLiquidations: {
    forgottenHeight: (past) => past.liquidations.forgottenHeight,
    snapshot: ({ state, past, accounts, reader }) =>
      [...past.liquidations.newestFirst()]
        .filter(({ account, endedHeight }) => endedHeight === undefined && accounts.includes(account as AccountRow))
        .map((record) => viewLiquidationFor(reader, state, record)),
    delta: ({ state, past, accounts, reader }, { liquidations }) =>
      some(
        found(liquidations, (id) => past.liquidations.find(id))
          .filter(({ account }) => accounts.includes(account as AccountRow))
          .map((record) => viewLiquidationFor(reader, state, record)),
      ),
  },

  authorizations: {
    snapshot: ({ state, past, address }) =>
      grantsOf(state, address).map((grant) => viewAuthorization(state, grant, past.grants)),
    delta: ({ state, past, address }, { authorizations }) =>
      some(
        grantsOf(state, address)
          .filter((grant) => authorizations.has(grant))
          .map((grant) => viewAuthorization(state, grant, past.grants)),
      ),
  },
};

/** Collects a stream's context once per message. Undefined for a market that a revert removed. */
export function openSource(
  services: Services,
  { market, address }: StreamName,
  reader: Reader,
): SourceContext | undefined {
  const past = services.history.read();
  const { state } = past;
  const row = market === undefined ? (0 as MarketRow) : state.marketRows.get(market);
  if (row === undefined) return undefined;
  const whose = (address ?? "0x") as Address;
  const accounts = address === undefined ? [] : listAccountsOf(state, whose);
  return { services, state, past, market: row, accounts, address: whose, reader };
}

function grantsOf(state: State, address: Address) {
  return listGrants(state).filter((grant) => listGrantParties(state, grant).includes(address));
}

/** A closed position: the position of the market, with size 0. */
function flatPosition(state: State, account: AccountRow, market: MarketRow): Position {
  const zero = "0";
  return {
    market: state.marketNames[market]!,
    subaccount: subaccountOf(state, account),
    side: "long",
    size: zero,
    cost: zero,
    entryPrice: zero,
    markPrice: formatPrice(state.markets.mark[market]!),
    notional: zero,
    unrealizedPnl: zero,
    unsettledFunding: zero,
    realizedPnl: null,
    fundingPaid: null,
    openedHeight: null,
    marginMode: "cross",
    isolatedMargin: null,
    leverage: 1,
    initialMargin: zero,
    maintenanceMargin: zero,
    liquidationPrice: null,
  };
}

/** The newest items of a list, oldest first. */
function newest<T>(queue: Queue<T>, most = RECENT): T[] {
  const list: T[] = [];
  for (let at = Math.max(0, queue.length - most); at < queue.length; at++) list.push(queue.at(at)!);
  return list;
}

/** Items of some blocks, oldest first. */
function since<T extends EventPlace>(queue: Queue<T>, { fromHeight, entry }: Changes): T[] {
  const firstAbove = (height: number): number => {
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (queue.at(middle)!.height <= height) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const list: T[] = [];
  for (let at = firstAbove(fromHeight - 1), end = firstAbove(entry.height); at < end; at++) list.push(queue.at(at)!);
  return list;
}

function* viewEach<T, View>(list: readonly T[], view: (item: T) => View): Generator<View> {
  for (const item of list) yield view(item);
}

function found<T>(ids: Iterable<number>, find: (id: number) => T | undefined): T[] {
  return [...ids].map(find).filter((record) => record !== undefined);
}

function byEvent<T extends { readonly trade: EventPlace }>(list: T[]): T[] {
  return list.sort((a, b) => a.trade.height - b.trade.height || a.trade.ordinal - b.trade.ordinal);
}

function some<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}
