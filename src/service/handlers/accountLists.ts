import type { Fill } from "../../api/schemas/markets.ts";
import {
  type IntentStatus,
  LIVE_INTENT_STATUSES,
  OPEN_ORDER_STATUSES,
  type OrderStatus,
} from "../../api/schemas/orders.ts";
import { SIDE } from "../../protocol/words.ts";
import type { HandlersOf } from "../handler.ts";
import { getStatusAt, type IntentRecord } from "../history/intents.ts";
import { getOrderStatusAt, type OrderRecord } from "../history/orders.ts";
import type { TradeRecord } from "../history/trades.ts";
import { viewIntent } from "../views/intents.ts";
import { viewLiquidation } from "../views/liquidations.ts";
import { viewOrder } from "../views/orders.ts";
import { viewFills } from "../views/trades.ts";
import { openAccount } from "./accounts.ts";
import { answerList, openList } from "./lists.ts";

/** Statuses that a list holds: those named, or all, or those of what is still there. */
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
    const list = accounts.flatMap((account) => [...orders.ofAccount(account)].filter(fits)).sort(byIdDown);
    return {
      ...answerList(
        page,
        scope.asOf,
        list,
        ({ id }) => [id],
        (order) => viewOrder(state, order),
      ),
      guarded,
    };
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
    return {
      ...answerList(
        page,
        scope.asOf,
        list,
        ({ id }) => [id],
        (intent) => viewIntent(state, intent),
      ),
      guarded,
    };
  },

  listFills: (services, call) => {
    const { trades, state, ...scope } = services.history.read();
    const { accounts, market, guarded } = openAccount(services, state, call);
    const list: { trade: TradeRecord; place: number; fill: () => Fill }[] = [];
    for (const [place, account] of accounts.entries()) {
      for (const trade of trades.ofAccount(account).newestFirst()) {
        if (market !== undefined && trade.market !== market) continue;
        const sides = Number(trade.taker === account) + Number(trade.maker === account);
        for (let side = 0; side < sides; side++) {
          list.push({ trade, place: place * 2 + side, fill: () => viewFills(state, trade, account)[side]! });
        }
      }
    }
    list.sort((a, b) => b.trade.height - a.trade.height || b.trade.ordinal - a.trade.ordinal || b.place - a.place);
    return {
      ...answerList(
        openList(services, call, scope),
        scope.asOf,
        list,
        ({ trade, place }) => [trade.height, trade.ordinal, place],
        ({ fill }) => fill(),
      ),
      guarded,
    };
  },

  listAccountLiquidations: (services, call) => {
    const { liquidations, state, ...scope } = services.history.read();
    const { accounts, guarded } = openAccount(services, state, { ...call, query: pick(call.query) });
    const own = new Set<number>(accounts);
    const page = openList(services, call, scope);
    const list = [...liquidations.newestFirst()].filter(
      ({ account, startedHeight }) => own.has(account) && startedHeight <= page.pin,
    );
    return {
      ...answerList(
        page,
        scope.asOf,
        list,
        ({ id }) => [id],
        (record) => viewLiquidation(state, record),
      ),
      guarded,
    };
  },
} satisfies HandlersOf<"listOrders" | "listIntents" | "listFills" | "listAccountLiquidations">;

function pick({ subaccount }: { readonly subaccount?: number }): { readonly subaccount?: number } {
  return subaccount === undefined ? {} : { subaccount };
}
