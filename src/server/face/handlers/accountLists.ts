import {
  type IntentStatus,
  LIVE_INTENT_STATUSES,
  OPEN_ORDER_STATUSES,
  type OrderStatus,
} from "../../../client/api/schemas/orders.ts";
import { SIDE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { getStatusAt, type IntentRecord } from "../../history/intents.ts";
import { getOrderStatusAt, type OrderRecord } from "../../history/orderRecord.ts";
import type { TradeRecord } from "../../history/trades.ts";
import { viewIntent } from "../views/intents.ts";
import { viewLiquidationFor } from "../views/liquidations.ts";
import { viewOrder } from "../views/orders.ts";
import { viewFills } from "../views/trades.ts";
import { openAccount } from "./accounts.ts";
import type { HandlersOf } from "./handler.ts";
import { answerGuarded, openList } from "./lists.ts";

/** Statuses that a list holds: the named ones, or all, or those of live items. */
function chooseStatuses<Status extends string>(
  named: string | undefined,
  all: boolean | undefined,
  live: readonly Status[],
): ReadonlySet<Status> | undefined {
  if (named !== undefined) return new Set(named.split(",") as Status[]);
  return all === true ? undefined : new Set(live);
}

const byIdDown = (a: { readonly id: number }, b: { readonly id: number }) => b.id - a.id;

export const accountListHandlers = {
  listOrders: (services, call) => {
    const { orders, state, ...scope } = services.history.read();
    const { accounts, market, guarded } = openAccount(services, state, call);
    const { query } = call;
    const page = openList(services, call, scope);
    const statuses = chooseStatuses<OrderStatus>(query.status, query.includeClosed, OPEN_ORDER_STATUSES);
    const side = query.side === undefined ? undefined : SIDE[query.side];
    const { fromHeight = 0, toHeight = Number.POSITIVE_INFINITY, clientOrderId } = query;
    const fits = (order: OrderRecord): boolean => {
      const status = getOrderStatusAt(order, page.pin);
      const opened = order.openedHeight ?? 0;
      return (
        status !== undefined &&
        (statuses === undefined || statuses.has(status)) &&
        (market === undefined || order.market === market) &&
        (side === undefined || order.side === side) &&
        (clientOrderId === undefined || order.client === clientOrderId) &&
        opened >= fromHeight &&
        opened <= toHeight
      );
    };
    // A list of open orders may hold orders that were open at the height of its first page and have closed since.
    const isOpenOnly = statuses !== undefined && [...statuses].every((status) => OPEN_ORDER_STATUSES.includes(status));
    const since = isOpenOnly ? page.pin : -1;
    const list = accounts.flatMap((account) => [...orders.ofAccount(account, since)].filter(fits)).sort(byIdDown);
    return answerGuarded(
      guarded,
      page,
      scope.asOf,
      list,
      ({ id }) => [id],
      (order) => viewOrder(state, order),
    );
  },

  listIntents: (services, call) => {
    const { intents, state, ...scope } = services.history.read();
    const { accounts, market, guarded } = openAccount(services, state, call);
    const { query } = call;
    const page = openList(services, call, scope);
    const statuses = chooseStatuses<IntentStatus>(query.status, query.includeEnded, LIVE_INTENT_STATUSES);
    const fits = (intent: IntentRecord): boolean => {
      const status = getStatusAt(intent, page.pin);
      return (
        status !== undefined &&
        (statuses === undefined || statuses.has(status)) &&
        (market === undefined || intent.market === market)
      );
    };
    const list = accounts.flatMap((account) => [...intents.ofAccount(account)].filter(fits)).sort(byIdDown);
    return answerGuarded(
      guarded,
      page,
      scope.asOf,
      list,
      ({ id }) => [id],
      (intent) => viewIntent(state, intent),
    );
  },

  listFills: (services, call) => {
    const { trades, state, ...scope } = services.history.read();
    const { accounts, market, guarded } = openAccount(services, state, call);
    const sides = mergeFills(
      accounts.map((account) => ({ account, trades: trades.ofAccount(account).newestFirst() })),
      market,
    );
    return answerGuarded(
      guarded,
      openList(services, call, scope),
      scope.asOf,
      sides,
      ({ trade, place }) => [trade.height, trade.ordinal, place],
      ({ trade, account, side }) => viewFills(state, trade, account)[side]!,
    );
  },

  listAccountLiquidations: (services, call) => {
    const { liquidations, state, ...scope } = services.history.read();
    const { accounts, guarded, reader } = openAccount(services, state, { ...call, query: pick(call.query) });
    const own = new Set<number>(accounts);
    const page = openList(services, call, scope);
    const list = [...liquidations.newestFirst()].filter(
      ({ account, startedHeight }) => own.has(account) && startedHeight <= page.pin,
    );
    return answerGuarded(
      guarded,
      page,
      scope.asOf,
      list,
      ({ id }) => [id],
      (record) => viewLiquidationFor(reader, state, record),
    );
  },
} satisfies HandlersOf<"listOrders" | "listIntents" | "listFills" | "listAccountLiquidations">;

/** A side of a trade that an account took. */
interface FillSide {
  readonly trade: TradeRecord;
  readonly account: AccountRow;
  /** Index among the sides of the trade that the account took. */
  readonly side: number;
  /** Index among the sides of all accounts: it separates the sides of one trade. */
  readonly place: number;
}

/** Fills of several accounts, newest first, produced on demand. */
function* mergeFills(
  sources: readonly { readonly account: AccountRow; readonly trades: Iterator<TradeRecord> }[],
  market: number | undefined,
): Generator<FillSide> {
  const heads = sources.map(({ trades }) => trades.next().value as TradeRecord | undefined);
  for (;;) {
    let newest = -1;
    for (let at = heads.length - 1; at >= 0; at--) {
      const head = heads[at];
      if (head !== undefined && (newest < 0 || isNewer(head, heads[newest]!))) newest = at;
    }
    if (newest < 0) return;
    const trade = heads[newest]!;
    const { account, trades } = sources[newest]!;
    heads[newest] = trades.next().value as TradeRecord | undefined;
    if (market !== undefined && trade.market !== market) continue;
    for (let side = Number(trade.taker === account) + Number(trade.maker === account) - 1; side >= 0; side--) {
      yield { trade, account, side, place: newest * 2 + side };
    }
  }
}

function isNewer(a: TradeRecord, b: TradeRecord): boolean {
  return a.height > b.height || (a.height === b.height && a.ordinal > b.ordinal);
}

function pick({ subaccount }: { readonly subaccount?: number }): { readonly subaccount?: number } {
  return subaccount === undefined ? {} : { subaccount };
}
