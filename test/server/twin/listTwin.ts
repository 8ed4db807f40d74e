/** Lists from events and tables, by going through all of them. */

import { CLOSE_KINDS, INSURANCE_CAUSES, LIQUIDATION_STAGES } from "../../../src/protocol/events.ts";
import { isLiquidationStep } from "../../../src/protocol/liquidationStep.ts";
import { POST_ONLY_MODES, SELF_TRADE_MODES, SELF_TRADE_SCOPES, SIDES } from "../../../src/protocol/words.ts";
import { TOTAL } from "../../../src/venue/engine/state/totals.ts";
import { intentsOfState, ordersOfState } from "../helpers/historyTwin.ts";
import { addressOfRow, subaccountOfRow } from "./accountTwin.ts";
import type { Happened, TwinChain } from "./chain.ts";
import { sizeText, ticksText } from "./marketTwin.ts";
import { amountText, rateText } from "./plain.ts";

/** An item of a list, with what filters ask about. */
export interface TwinItem {
  readonly view: Readonly<Record<string, unknown>>;
  readonly market?: number;
  readonly account?: number;
}

const positive = (value: number): number | null => (value > 0 ? value : null);

/** Open orders of accounts, the newest first; `opened` is undefined for one that a schedule has placed before. */
export function twinOfOpenOrders({ state, orders }: TwinChain): (TwinItem & { side: number; client: string })[] {
  return ordersOfState(state)
    .reverse()
    .map((order) => {
      const { id, market, account, side, client, filled, remaining } = order;
      const trace = orders.get(id)!;
      const view = {
        orderId: String(id),
        clientOrderId: client === "" ? null : client,
        subaccount: subaccountOfRow(state, account),
        market: state.marketNames[market]!,
        side: SIDES[side]!,
        price: ticksText(state, market, order.ticks),
        filled: sizeText(state, market, filled),
        remaining: sizeText(state, market, remaining),
        status: filled > 0 ? "partiallyFilled" : "open",
        reduceOnly: order.reduceOnly,
        postOnly: POST_ONLY_MODES[order.postOnly]!,
        selfTrade: SELF_TRADE_MODES[order.selfTrade]!,
        selfTradeScope: SELF_TRADE_SCOPES[order.selfTradeScope]!,
        goodTilHeight: positive(order.goodTilHeight),
        goodTilMs: positive(order.goodTilTime),
        openedHeight: trace.firstHeight,
        updatedHeight: trace.lastHeight,
        closedHeight: null,
      };
      return { view, market, account, side, client };
    });
}

export function twinOfLiveIntents({ state }: TwinChain): TwinItem[] {
  return intentsOfState(state)
    .reverse()
    .map(({ client, values }) => ({
      view: {
        intentId: String(values["id"]),
        clientIntentId: client === "" ? null : client,
        subaccount: subaccountOfRow(state, values["account"]!),
        market: state.marketNames[values["market"]!]!,
        side: SIDES[values["side"]!]!,
        reduceOnly: values["reduceOnly"] === 1,
        filled: sizeText(state, values["market"]!, values["filled"]!),
        endedHeight: null,
      },
      market: values["market"]!,
      account: values["account"]!,
    }));
}

/** Trades, the newest first. Of what was closed outside the book the price and the side are left open. */
export function twinOfTrades(chain: TwinChain): (TwinItem & { readonly happened: Happened })[] {
  const { state } = chain;
  return chain.newest().flatMap((happened) => {
    const { event, name, height, timeMs } = happened;
    const common = (market: number, lots: number) => ({
      tradeId: name,
      market: state.marketNames[market]!,
      size: sizeText(state, market, lots),
      height,
      timeMs,
    });
    switch (event.kind) {
      case "fill":
        return {
          happened,
          market: event.market,
          view: {
            ...common(event.market, event.size),
            price: ticksText(state, event.market, event.price),
            value: amountText(event.value),
            takerSide: SIDES[event.takerSide],
            kind: event.liquidation === 0 ? "normal" : "liquidation",
          },
        };
      case "printed":
        if (event.size === 0) return [];
        return {
          happened,
          market: event.market,
          view: {
            ...common(event.market, event.size),
            price: ticksText(state, event.market, event.price),
            value: amountText(
              BigInt(event.price) * BigInt(event.size) * BigInt(state.parameters[event.market]!.tickLotValue),
            ),
            takerSide: SIDES[event.side],
            kind: "recorded",
          },
        };
      case "deleveraged": {
        const way = CLOSE_KINDS[event.way]!;
        const kind = way === "previousMark" ? "closeOut" : way;
        return { happened, market: event.market, view: { ...common(event.market, event.size), kind } };
      }
      default:
        return [];
    }
  });
}

/**
 * Sides of trades that some of these accounts took, the newest first; of one trade, the last account's, makers first.
 */
export function twinOfFills(chain: TwinChain, accounts: readonly number[], market?: number): TwinItem[] {
  const idOf = (order: number) => (order === 0 ? null : String(order));
  return twinOfTrades(chain)
    .filter((trade) => market === undefined || trade.market === market)
    .flatMap(({ happened: { event }, view: { takerSide: _, ...view } }) => {
      if (event.kind !== "fill" && event.kind !== "deleveraged") return [];
      const isFill = event.kind === "fill";
      const sides = isFill
        ? [
            { account: event.makerAccount, role: "maker", side: SIDES[1 - event.takerSide] },
            { account: event.takerAccount, role: "taker", side: SIDES[event.takerSide] },
          ]
        : [
            { account: event.counterparty, role: "maker", side: undefined },
            { account: event.account, role: "taker", side: undefined },
          ];
      return accounts.toReversed().flatMap((account) =>
        sides
          .filter((side) => side.account === account)
          .map(({ role, side }) => {
            const own = isFill
              ? { order: event[`${role as "maker"}Order`], fee: event[`${role as "maker"}Fee`] }
              : none;
            const subaccount = subaccountOfRow(chain.state, account);
            return {
              view: { ...view, role, side, subaccount, orderId: idOf(own.order), fee: amountText(own.fee) },
              account,
            };
          }),
      );
    });
}

const none = { order: 0, fee: 0 };

export function twinOfFunding(chain: TwinChain, market: number): TwinItem[] {
  return chain.newest().flatMap(({ event, name, height, timeMs }) =>
    event.kind === "fundingAccrued" && event.market === market
      ? {
          view: {
            ...{ eventId: name, height, timeMs },
            market: chain.state.marketNames[market]!,
            rate: rateText(event.rate),
          },
        }
      : [],
  );
}

export function twinOfInsurance(chain: TwinChain): TwinItem[] {
  const { state } = chain;
  let balance = state.totals.get(TOTAL.insurance);
  return chain.newest().flatMap(({ event, name, height, timeMs }) => {
    if (event.kind !== "insuranceChanged") return [];
    const { account, market, cause, delta } = event;
    const balanceAfter = amountText(balance);
    balance -= BigInt(delta);
    const who = { address: addressOfRow(state, account), subaccount: subaccountOfRow(state, account) };
    return {
      view: {
        ...{ eventId: name, height, timeMs },
        delta: amountText(delta),
        balanceAfter,
        cause: INSURANCE_CAUSES[cause],
        market: market < 0 ? null : state.marketNames[market]!,
        account: account < 0 ? null : who,
      },
    };
  });
}

/** Liquidations, the newest first, with the markets that their events name. */
export function twinOfLiquidations({ state, happened }: TwinChain): (TwinItem & { markets: Set<number> })[] {
  const records = new Map<
    number,
    { account: number; marginAccount: number; stage: string; liquidationSteps: number; markets: Set<number> }
  >();
  for (const { event } of happened) {
    if (isLiquidationStep(event)) {
      const { liquidation, account, marginAccount } = event;
      const known = records.get(liquidation) ?? {
        ...{ account, marginAccount, stage: LIQUIDATION_STAGES[0]!, liquidationSteps: 0 },
        markets: new Set(marginAccount < 0 ? [] : [marginAccount]),
      };
      records.set(liquidation, { ...known, liquidationSteps: known.liquidationSteps + 1 });
    } else if (event.kind === "liquidationStage" || event.kind === "fill" || event.kind === "deleveraged") {
      const known = records.get(event.liquidation);
      if (known === undefined) continue;
      if (event.market >= 0) known.markets.add(event.market);
      if (event.kind === "liquidationStage") known.stage = LIQUIDATION_STAGES[event.stage]!;
    }
  }
  return [...records].reverse().map(([id, { account, marginAccount, stage, liquidationSteps, markets }]) => ({
    view: {
      liquidationId: `L-${Math.floor(id / 65_536)}-${id % 65_536}`,
      account: { address: addressOfRow(state, account), subaccount: subaccountOfRow(state, account) },
      marginAccount: marginAccount < 0 ? "cross" : state.marketNames[marginAccount]!,
      startedHeight: Math.floor(id / 65_536),
      ...{ stage, liquidationSteps },
    },
    ...{ account, markets },
  }));
}
