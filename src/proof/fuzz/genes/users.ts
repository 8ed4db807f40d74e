/** Payloads of user actions at a gene. */
import { NONE } from "../../../ground/collections/table.ts";
import { type ActionName, actions, type Payloads, type UserAction } from "../../../protocol/actions/index.ts";
import { ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { idOfGrant } from "../../../venue/engine/authorization/addGrant.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition } from "../../../venue/engine/state/state.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { drawAmend, drawClose } from "./changes.ts";
import { drawDefaultPayload } from "./defaultPayload.ts";
import { accepts, drawAmount, findEdge, near } from "./edges.ts";
import { drawGrant } from "./grants.ts";
import { drawIntent, nameIntent } from "./intents.ts";
import { drawBatch, drawOrder } from "./orders.ts";
import { findGrant, getMarketName, nameOrder } from "./references.ts";
import { drawTime } from "./times.ts";

export function drawUser<A extends UserAction>(
  builder: BlockBuilder,
  action: A,
  account: AccountRow,
  market: MarketRow,
): Payloads[A];
export function drawUser(builder: BlockBuilder, action: UserAction, account: AccountRow, market: MarketRow): unknown {
  const { choices, state, scene } = builder;
  const name = getMarketName(builder, market);
  switch (action) {
    case "placeOrder":
      return drawOrder(builder, choices, account, market, name);
    case "placeOrders":
      return drawBatch(builder, choices, account, market);
    case "amendOrder":
      return drawAmend(builder, choices, account);
    case "cancelOrder": {
      const { id, text } = nameOrder(builder, account, choices);
      return { orderId: id, clientOrderId: text };
    }
    case "cancelOrders": {
      const named = Array.from({ length: choices.below(5) }, () => nameOrder(builder, account, choices));
      return {
        orderIds: named.flatMap(({ id }) => (id === 0 ? [] : [id])),
        clientOrderIds: named.flatMap(({ text }) => (text === "" ? [] : [text])),
      };
    }
    case "cancelAll":
      return { market: choices.below(2) === 0 ? "" : name, intents: choices.below(2) === 1 };
    case "closePosition":
      return drawClose(builder, choices, account, market, name);
    case "setLeverage":
      return drawLeverage(builder, account, market, name);
    case "setMarginMode":
      return drawMode(builder, account, market, name);
    case "adjustIsolatedMargin":
      return drawAdjustment(builder, account, market);
    case "transfer":
      return drawTransfer(builder, account);
    case "placeIntent":
      return drawIntent(builder, account, market, name);
    case "cancelIntent":
      return nameIntent(builder, account);
    case "scheduleCancel":
      return { time: drawSchedule(builder, account) };
    case "grantAuthorization":
      return drawGrant(builder, account);
    case "revokeAuthorization": {
      const way = choices.next();
      const live = findGrant(state, way >> 4, account);
      const grant = way % 8 === 7 ? NONE : way % 8 === 0 || live === NONE ? scene.pickGrant(choices, account) : live;
      const authorization = grant === NONE ? ZERO_BYTES32 : idOfGrant(state, grant as never);
      return { authorization, cancelOrders: choices.below(2) === 1 };
    }
    default:
      return drawDefault(builder, action, account, market);
  }
}

/** A payload by the kinds of the action's fields; amounts lie around the free collateral and what the venue accepts. */
export function drawDefault(
  builder: BlockBuilder,
  action: ActionName,
  account: AccountRow,
  market: MarketRow,
): Record<string, unknown> {
  const { choices, state, scene } = builder;
  return drawDefaultPayload(actions[action].fields, {
    random: choices,
    state,
    market,
    marketName: getMarketName(builder, market),
    account: () => scene.keyOf((choices.next() % state.accounts.rows.high) as AccountRow),
    amount: (payloadWith) =>
      drawAmount(choices, scene, account, scene.freeOf(account), (amount) =>
        accepts(state, account, action, payloadWith(amount)),
      ),
  });
}

/** Sets the margin mode of a market, mostly to the other mode, in a market where it may change. */
function drawMode({ choices, state }: BlockBuilder, account: AccountRow, market: MarketRow, name: string): unknown {
  const way = choices.next();
  const drawn = { market: name, mode: way % 3 === 0 ? 0 : 1 };
  if (way >> 14 === 0) return drawn;
  for (let step = 0; step < state.marketNames.length; step++) {
    const row = ((market + step) % state.marketNames.length) as MarketRow;
    const position = getPosition(state, account, row);
    const present = position === NONE ? 0 : state.positions.mode[position]!;
    const payload = { market: state.marketNames[row]!, mode: present === 0 ? 1 : 0 };
    if (accepts(state, account, "setMarginMode", payload)) return payload;
  }
  return drawn;
}

/** Schedules the cancellation of all orders of an account, or removes the schedule. */
function drawSchedule(builder: BlockBuilder, account: AccountRow): number {
  const { choices, state } = builder;
  const way = choices.next();
  const time = way % 6 === 5 ? 0 : drawTime(builder, choices, account);
  const isTaken = (at: number) => accepts(state, account, "scheduleCancel", { time: at });
  return way >> 14 === 0 || isTaken(time) ? time : state.timeMs + 6_000 + (way % 4_000);
}

/** A leverage: any, the market's maximum and one more, none, or the least that the account can afford, and one less. */
function drawLeverage(builder: BlockBuilder, account: AccountRow, market: MarketRow, name: string): unknown {
  const { choices, state } = builder;
  const { leverageMax } = state.parameters[market]!;
  const way = choices.below(8);
  const detail = choices.next();
  if (way < 4) return { market: name, leverage: 1 + (detail % leverageMax) };
  if (way === 4) return { market: name, leverage: near(choices, leverageMax) };
  if (way === 5) return { market: name, leverage: detail % 2 };
  const isTaken = (less: number) =>
    accepts(state, account, "setLeverage", { market: name, leverage: leverageMax - less });
  return {
    market: name,
    leverage: leverageMax - Math.min(leverageMax, near(choices, findEdge(0, leverageMax, isTaken))),
  };
}

function drawAdjustment(builder: BlockBuilder, account: AccountRow, market: MarketRow): unknown {
  const { choices, scene, state } = builder;
  const at = choices.below(8) === 7 ? market : scene.pickIsolated(choices, account, market);
  const direction = choices.below(2);
  const name = state.marketNames[at]!;
  const free = direction === 0 ? scene.freeOf(account) : scene.freeOfIsolated(account, at);
  const isTaken = (amount: number) =>
    accepts(state, account, "adjustIsolatedMargin", { market: name, direction, amount });
  return { market: name, direction, amount: drawAmount(choices, scene, account, free, isTaken) };
}

/** A transfer to another subaccount of the owner, another account, a new account, or the account itself. */
function drawTransfer(builder: BlockBuilder, account: AccountRow): unknown {
  const { choices, scene, state, profile } = builder;
  const way = choices.next();
  const { accounts, owners } = state;
  const rows = accounts.rows.high;
  const siblings = owners.account[accounts.owner[account]!]!;
  const others = [
    () => scene.keyOf(((account + 1 + ((way >> 3) % Math.max(1, rows - 1))) % rows) as AccountRow),
    () => scene.keyOf(siblings),
    () => scene.keyOf(((way >> 3) % rows) as AccountRow),
    () => profile.strangers[(way >> 3) % profile.strangers.length]!,
  ];
  const to = others[way % 8 < 5 ? 0 : (way % 8) - 4]!();
  const payload = { to: to.address, toSubaccount: to.subaccount };
  const isTaken = (amount: number) => accepts(state, account, "transfer", { ...payload, amount });
  return { ...payload, amount: drawAmount(choices, scene, account, scene.freeOf(account), isTaken) };
}
