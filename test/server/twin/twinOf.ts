/**
 * What the venue must say to a question, worked out in the plainest way from an engine's tables and from the events of
 * all blocks: nothing of the service has a part in it. What it does not say may be anything.
 */
import { PAGE_DEFAULT } from "../../../src/client/api/schemas/common.ts";
import { BOOK_DEPTH_DEFAULT } from "../../../src/client/api/schemas/markets.ts";
import { AUTHORIZATION_STATUSES } from "../../../src/protocol/words.ts";
import { TOTAL } from "../../../src/venue/engine/state/totals.ts";
import {
  accountsOf,
  addressOfRow,
  checkLiquidationPrice,
  openRowsOf,
  subaccountOfRow,
  twinOfBalance,
  twinOfPosition,
  twinOfRisk,
} from "./accountTwin.ts";
import type { TwinChain } from "./chain.ts";
import {
  twinOfFills,
  twinOfFunding,
  twinOfInsurance,
  twinOfLiquidations,
  twinOfLiveIntents,
  twinOfOpenOrders,
  twinOfTrades,
} from "./listTwin.ts";
import { twinOfMarket, twinOfPrices, twinOfSide } from "./marketTwin.ts";
import { amountText, listDifferences } from "./plain.ts";

/** Parameters and query of a request, as texts. */
export type Asked = Readonly<Record<string, string | undefined>>;

interface Said {
  readonly data: unknown;
  readonly page?: { readonly hasMore: boolean; readonly next: string | null };
}

type Twin =
  | { readonly data: unknown }
  /** All items of a list, of which an answer has the first. */
  | { readonly list: readonly unknown[] };

type TwinMaker = (chain: TwinChain, asked: Asked) => Twin | undefined;

const marketOf = ({ state }: TwinChain, { market }: Asked): number => state.marketNames.indexOf(market!);
const chosenAccounts = ({ state }: TwinChain, { address, subaccount }: Asked): number[] =>
  accountsOf(state, address!, subaccount === undefined ? undefined : Number(subaccount));
const views = (items: readonly { readonly view: unknown }[]) => ({ list: items.map(({ view }) => view) });

const makers: Readonly<Record<string, TwinMaker>> = {
  getStatus: ({ state: { height, timeMs } }) => ({ data: { head: { height, timeMs } } }),
  listMarkets: ({ state }) => ({ data: state.marketNames.map((_, market) => twinOfMarket(state, market)) }),
  getMarket: (chain, asked) => ({ data: twinOfMarket(chain.state, marketOf(chain, asked)) }),
  getMarketPrices: (chain, asked) => ({ data: twinOfPrices(chain.state, marketOf(chain, asked)) }),
  getMarketBook: (chain, asked) => {
    const { state } = chain;
    const depth = Number(asked["depth"] ?? BOOK_DEPTH_DEFAULT);
    const side = (name: "bids" | "asks") => twinOfSide(state, marketOf(chain, asked), name).slice(0, depth);
    return { data: { market: asked["market"], bids: side("bids"), asks: side("asks"), depth, seq: state.height } };
  },
  listMarketTrades: (chain, asked) =>
    views(twinOfTrades(chain).filter(({ market }) => market === marketOf(chain, asked))),
  listFundingRates: (chain, asked) => views(twinOfFunding(chain, marketOf(chain, asked))),

  listBalances: (chain, asked) => ({
    data: chosenAccounts(chain, asked).map((account) => twinOfBalance(chain.state, account)),
  }),
  listRisk: (chain, asked) => ({
    data: chosenAccounts(chain, asked).map((account) => twinOfRisk(chain.state, account)),
  }),
  listPositions: (chain, asked) => ({
    data: positionsOf(chain, asked).map((row) => twinOfPosition(chain.state, row)),
  }),
  listOrders(chain, asked) {
    // Closed ones are held to their events by the tests of the history.
    if (asked["includeClosed"] === "true" || asked["status"] !== undefined) return undefined;
    const { fromHeight = "0", toHeight = "Infinity", side, clientOrderId } = asked;
    const accounts = chosenAccounts(chain, asked);
    const market = asked["market"] === undefined ? undefined : marketOf(chain, asked);
    return views(
      twinOfOpenOrders(chain).filter(
        (order) =>
          accounts.includes(order.account!) &&
          (market === undefined || order.market === market) &&
          (side === undefined || order.view["side"] === side) &&
          (clientOrderId === undefined || order.client === clientOrderId) &&
          (order.view["openedHeight"] as number) >= Number(fromHeight) &&
          (order.view["openedHeight"] as number) <= Number(toHeight),
      ),
    );
  },
  listIntents(chain, asked) {
    if (asked["includeEnded"] === "true" || asked["status"] !== undefined) return undefined;
    const accounts = chosenAccounts(chain, asked);
    const market = asked["market"] === undefined ? undefined : marketOf(chain, asked);
    return views(
      twinOfLiveIntents(chain).filter(
        (intent) => accounts.includes(intent.account!) && (market === undefined || intent.market === market),
      ),
    );
  },
  listFills: (chain, asked) =>
    views(
      twinOfFills(
        chain,
        chosenAccounts(chain, asked),
        asked["market"] === undefined ? undefined : marketOf(chain, asked),
      ),
    ),

  listLiquidations: (chain, asked) =>
    views(
      twinOfLiquidations(chain).filter(
        ({ markets, view }) =>
          (asked["market"] === undefined || markets.has(marketOf(chain, asked))) &&
          (asked["stage"] === undefined || view["stage"] === asked["stage"]),
      ),
    ),
  listAccountLiquidations: (chain, asked) =>
    views(twinOfLiquidations(chain).filter(({ account }) => chosenAccounts(chain, asked).includes(account!))),

  getInsuranceFund: ({ state: { totals } }) => ({
    data: {
      balance: amountText(totals.get(TOTAL.insurance)),
      badDebt: amountText(totals.get(TOTAL.badDebt)),
      fees: amountText(totals.get(TOTAL.fees)),
    },
  }),
  listInsuranceHistory: (chain) => views(twinOfInsurance(chain)),

  listAuthorizations({ state }, { owner, agent, status }) {
    const { authorizations, grants } = state;
    const rows = Array.from({ length: authorizations.rows.high }, (_, row) => row as never).reverse();
    const list = rows.map((row) => {
      const account = authorizations.account[row]!;
      return {
        owner: addressOfRow(state, account),
        subaccount: subaccountOfRow(state, account),
        agent: grants.agents[row]!,
        status: AUTHORIZATION_STATUSES[authorizations.status[row]!]!,
        label: grants.labels[row]!,
        validFromMs: authorizations.validFrom[row]!,
        expiresAtMs: authorizations.expiresAt[row]!,
      };
    });
    return {
      list: list.filter(
        (grant) =>
          (owner === undefined || grant.owner === owner.toLowerCase()) &&
          (agent === undefined || grant.agent === agent.toLowerCase()) &&
          (status === undefined || grant.status === status),
      ),
    };
  },

  getBlock(chain, asked) {
    const entry = chain.entries.get(asked["height"] === "latest" ? chain.state.height : Number(asked["height"]));
    if (entry === undefined) return undefined;
    const { height, hash, parentHash, timeMs, ids } = entry;
    return { data: { height, hash, parentHash, timeMs, transactionCount: ids.length, txIds: ids.slice(0, 1_000) } };
  },
  listBlockTransactions(chain, asked) {
    const entry = chain.entries.get(asked["height"] === "latest" ? chain.state.height : Number(asked["height"]));
    return {
      list: entry!.ids.map((txId, index) => ({
        txId,
        index,
        action: entry!.transactions[index]!.action,
        account: entry!.transactions[index]!.header.account.address,
        status: entry!.receipts[index]!.status,
        code: entry!.receipts[index]!.code ?? null,
      })),
    };
  },
  listBlockEvents(chain, asked) {
    const height = asked["height"] === "latest" ? chain.state.height : Number(asked["height"]);
    const own = chain.happened.filter((happened) => happened.height === height);
    return { list: own.map(({ name, event, txIndex }) => ({ eventId: name, kind: event.kind, height, txIndex })) };
  },
};

function positionsOf(chain: TwinChain, asked: Asked) {
  const market = asked["market"] === undefined ? undefined : marketOf(chain, asked);
  return chosenAccounts(chain, asked)
    .flatMap((account) => openRowsOf(chain.state, account))
    .filter((row) => market === undefined || chain.state.positions.market[row]! === market);
}

export const TWIN_OPERATIONS: readonly string[] = Object.keys(makers);

/**
 * Where an answer says something else than the plain twin; none where it says the same, or the twin knows nothing of
 * it.
 *
 * @param asked parameters and query; of a list its first page, or all of its pages in one
 */
export function findTwinFaults(chain: TwinChain, operation: string, asked: Asked, said: Said): string[] {
  const twin = makers[operation]?.(chain, asked);
  if (twin === undefined) return [];
  if ("data" in twin) {
    const faults = listDifferences(twin.data, said.data);
    return operation === "listPositions" ? [...faults, ...findPriceFaults(chain, asked, said)] : faults;
  }
  const limit = Number(asked["limit"] ?? PAGE_DEFAULT);
  const faults = listDifferences(twin.list.slice(0, limit), said.data);
  const hasMore = twin.list.length > limit;
  if (said.page!.hasMore !== hasMore) faults.push(`page/hasMore is ${said.page!.hasMore}`);
  if ((said.page!.next !== null) !== hasMore) faults.push(`page/next is ${said.page!.next}`);
  return faults;
}

function findPriceFaults(chain: TwinChain, asked: Asked, said: Said): string[] {
  const reported = said.data as readonly { readonly liquidationPrice: string | null }[];
  return positionsOf(chain, asked).flatMap((row, place) => {
    const fault = checkLiquidationPrice(chain.state, row, reported[place]?.liquidationPrice ?? null);
    return fault === undefined ? [] : [`/${place}/liquidationPrice: ${fault}`];
  });
}
