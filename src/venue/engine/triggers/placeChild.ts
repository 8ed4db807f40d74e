import { NONE } from "../../../ground/collections/table.ts";
import { mulDivFloor, PPB } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { AUTHORIZATION_STATUS, ROLE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { boundPrice } from "../actions/checkOrder.ts";
import { handlePlaceOrder } from "../actions/placeOrder.ts";
import { checkAgentIntent } from "../authorization/checkReach.ts";
import type { ActionContext, Rejection } from "../handler/defineHandler.ts";
import { isProtecting } from "../intents/protection.ts";
import type { AuthorizationRow, IntentRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";

/**
 * Places the order of an intent, which has the intent's id, through the same checks as an order that its owner sends
 * now (INT-1). No margin was reserved for it before.
 *
 * @returns why it was refused, if it was
 */
export function placeChild(state: State, row: IntentRow, lots: number): Rejection | undefined {
  const { intents, intentIndex } = state;
  const account = intents.account[row];
  const id = intents.id[row];
  const grant = intents.authorization[row] as AuthorizationRow;
  const ended = grant === NONE ? undefined : checkAgentIntent(state, grant, isProtecting(intents, row));
  if (ended !== undefined) return ended;
  const context: ActionContext = {
    account,
    grant,
    transaction: undefined,
    firstOrderId: id,
    outcome: NONE,
    orderId: 0,
    stopped: NONE,
    cut: undefined,
    results: undefined,
    refused: undefined,
    carried: undefined,
  };
  const plan = handlePlaceOrder.check(state, context, describeChild(state, row, lots));
  if (plan.rejected) return plan;
  intentIndex.watched.add(id);
  intentIndex.firing = row;
  handlePlaceOrder.apply(state, context, plan);
  intentIndex.firing = NONE as IntentRow;
  return undefined;
}

/** Price at entry of the order that an intent would place now, ticks (ORD-1). */
export function getChildPrice(state: State, row: IntentRow): number {
  const { intents, parameters, markets } = state;
  const market = intents.market[row];
  const rules = parameters[market]!;
  const order = { price: intents.price[row] * rules.tickSize, slippage: intents.slippage[row] };
  return boundPrice(rules, intents.side[row], markets.mark[market], order);
}

function describeChild(state: State, row: IntentRow, lots: number): Payloads["placeOrder"] {
  const { intents } = state;
  const market = intents.market[row];
  const rules = state.parameters[market]!;
  const timeInForce = intents.timeInForce[row];
  const lives = timeInForce === TIME_IN_FORCE.GTT;
  return {
    market: state.marketNames[market]!,
    side: intents.side[row],
    orderType: intents.orderType[row],
    size: (lots * rules.lotSize) as Payloads["placeOrder"]["size"],
    price: (intents.price[row] * rules.tickSize) as Payloads["placeOrder"]["price"],
    slippage: intents.slippage[row],
    timeInForce,
    goodTilHeight: lives ? intents.goodTilHeight[row] : 0,
    goodTilTime: lives ? intents.goodTilTime[row] : 0,
    postOnly: intents.postOnly[row],
    reduceOnly: intents.reduceOnly[row] === 1 || outlivesGrant(state, row),
    selfTrade: intents.selfTrade[row],
    selfTradeScope: intents.selfTradeScope[row],
    clientOrderId: "",
  };
}

/**
 * Whether the grant of an intent has ended. The intent may then still protect a position, by an order that only reduces
 * (INT-6).
 */
function outlivesGrant({ authorizations, intents }: State, row: IntentRow): boolean {
  const grant = intents.authorization[row] as AuthorizationRow;
  return grant !== NONE && authorizations.status[grant] !== AUTHORIZATION_STATUS.active;
}

/**
 * Lots that an intent trades now: its remaining lots, or its share of the position, rounded down. At least a lot and at
 * most the market's largest order.
 */
export function getLotsToTrade(state: State, row: IntentRow): number {
  const { intents } = state;
  if (intents.fraction[row] === 0) return intents.size[row];
  const position = getPosition(state, intents.account[row], intents.market[row]);
  const open = position === NONE ? 0 : Math.abs(state.positions.signedLots[position]);
  const share = Math.max(mulDivFloor(open, intents.fraction[row], PPB), Math.min(open, 1));
  const house = state.accounts.role[intents.account[row]] === ROLE.house;
  return house ? share : Math.min(share, state.parameters[intents.market[row]]!.maxLots);
}
