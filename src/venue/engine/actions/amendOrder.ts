import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, type Lots, type Ticks } from "../../../ground/math/fixed.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { ORDER_OUTCOME } from "../../../protocol/receipt.ts";
import { POST_ONLY, ROLE, SIDE } from "../../../protocol/words.ts";
import { checkAgentOrder, getOrderNotional, spendGrant } from "../authorization/limits.ts";
import { isExpired } from "../book/expiry.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime, setExpiry } from "../book/extras.ts";
import { addReserve, removeOrder } from "../book/orders.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { findOwnOrder } from "../handler/findOrder.ts";
import { OFF_GRID, toSteps } from "../handler/grid.ts";
import { getRequiredBefore } from "../matching/keepRequired.ts";
import { getTakerRate } from "../matching/volume.ts";
import { checkIncrease, isFrozen, refuseFrozen } from "../prices/validity.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  type OrderRow,
} from "../state/schema.ts";
import { computeOrderCost, computeRemainingOrderCost } from "../valuation/orderCost.ts";
import {
  checkLimits,
  checkMargin,
  checkPostOnly,
  checkReduceOnlyMargin,
  checkStatus,
  fitsResting,
  hasAmpleMargin,
  onlyReduces,
  slidePrice,
} from "./checkOrder.ts";
import { enterOrder } from "./enterOrder.ts";

interface AmendOrderPlan extends Plan {
  readonly order: OrderRow;
  readonly lots: Lots;
  readonly price: Ticks;
  /** Smaller at the same price, or only with another expiry: it keeps its place. */
  readonly inPlace: boolean;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  /** What it adds to the value of the order, for the limits of an agent. */
  readonly spends: number;
}

/**
 * Changes size, price or expiry of a resting order (ORD-4). A smaller size at the same price shrinks the order in
 * place. Any other amendment is a new order under the old id. It is checked as one, may match unless it is post-only,
 * and rests at the end of its level. Its earlier fills still count. It keeps its self-trade mode and scope, and its
 * expiry unless another is given.
 */
export const handleAmendOrder = defineHandler<"amendOrder">("amendOrder")<AmendOrderPlan>({
  check(state, { account, grant }, amend) {
    const { orders, positions } = state;
    const order = findOwnOrder(state, account, amend.orderId, amend.clientOrderId);
    if (typeof order !== "number") return order;
    const position = orders.position[order];
    const market = positions.market[position];
    const rules = state.parameters[market]!;
    const flags = orders.flags[order];
    const reduceOnly = (flags & FLAG_REDUCE_ONLY) !== 0;
    const side = (flags & FLAG_SELL) !== 0 ? SIDE.sell : SIDE.buy;
    const lots = (amend.size === 0 ? orders.remaining[order] : toSteps(amend.size, rules.lotSize)) as Lots;
    const asked = (amend.price === 0 ? orders.price[order] : toSteps(amend.price, rules.tickSize)) as Ticks;
    const postOnly = getPostOnly(flags);
    const price = asked === OFF_GRID ? asked : slidePrice(state, market, side, asked, postOnly);
    const lastHeight = getLastHeight(state, order);
    const lastTime: number = getLastTime(state, order);
    const goodTilHeight = amend.goodTilHeight === 0 ? lastHeight : amend.goodTilHeight;
    const goodTilTime = amend.goodTilTime === 0 ? lastTime : amend.goodTilTime;
    const sameExpiry = goodTilHeight === lastHeight && goodTilTime === lastTime;
    const smaller = lots < orders.remaining[order] || (lots === orders.remaining[order] && !sameExpiry);
    const inPlace = price === orders.price[order] && lots !== OFF_GRID && smaller;
    const terms = { side, lots, price, reduceOnly };
    const house = state.accounts.role[account] === ROLE.house;
    if (!inPlace) {
      const closed = checkStatus(state, market, reduceOnly, postOnly !== POST_ONLY.no);
      if (closed !== undefined) return closed;
    }
    if (lots === orders.remaining[order] && price === orders.price[order] && sameExpiry) {
      return reject("NOTHING_TO_DO", { lots, price });
    }
    if (!inPlace && state.markets.mark[market] === 0)
      return reject("PRICE_UNAVAILABLE", { market: state.marketNames[market]! });
    if (isExpired(state, goodTilHeight, goodTilTime)) {
      return reject("EXPIRY_PASSED", { goodTilHeight, height: state.height, goodTilTime, timeMs: state.timeMs });
    }
    if (lots === OFF_GRID) return reject("OFF_LOT", { size: amend.size, lotSize: rules.lotSize });
    if (price === OFF_GRID) return reject("OFF_TICK", { price: amend.price, tickSize: rules.tickSize });
    const limits = checkLimits(state, market, terms, house);
    if (limits !== undefined) return limits;
    if (house && !fitsResting(state, account, market, side, lots - orders.remaining[order])) {
      return reject("NUMERIC_LIMIT", { lots, limit: LIMIT / 2 });
    }
    if (!inPlace && postOnly !== POST_ONLY.no) {
      const takes = checkPostOnly(state, market, side, price);
      if (takes !== undefined) return takes;
    }
    const resting = { lots: orders.remaining[order], price: orders.price[order] };
    const goneNotional = getOrderNotional(state, market, resting);
    const adds =
      !inPlace && !house && !reduceOnly && !onlyReduces(state, position, side, lots, orders.remaining[order]);
    const unpriced = adds ? checkIncrease(state, market, postOnly !== POST_ONLY.no) : undefined;
    if (unpriced !== undefined) return unpriced;
    if (grant !== NONE && !inPlace) {
      const gone = { goneLots: resting.lots, goneNotional };
      const limited = checkAgentOrder(state, grant, account, market, { ...terms, opens: false, ...gone });
      if (limited !== undefined) return limited;
    }
    if (adds && isFrozen(state, market)) return refuseFrozen(state, market);
    if (!inPlace && !house) {
      const open = (reduceOnly ? Math.min(lots, Math.abs(positions.signedLots[position])) : lots) as Lots;
      const orderCost = computeOrderCost(
        rules,
        side,
        open,
        price,
        state.markets.mark[market],
        getTakerRate(state, rules, account),
      );
      if (reduceOnly || !hasAmpleMargin(state, account, market, terms, orderCost, orders.remaining[order])) {
        const gone = { lots: orders.remaining[order], orderCost: orders.orderCost[order] };
        const margin = reduceOnly
          ? checkReduceOnlyMargin(state, account, market, { ...terms, lots: open }, orderCost)
          : checkMargin(state, account, market, terms, orderCost, gone);
        if (margin !== undefined) return margin;
      }
    }
    const spends = reduceOnly ? 0 : getOrderNotional(state, market, { lots, price }) - goneNotional;
    return { rejected: false, order, lots, price, inPlace, goodTilHeight, goodTilTime, spends };
  },

  apply(state, context, { order, lots, price, inPlace, goodTilHeight, goodTilTime, spends }) {
    if (context.grant !== NONE) spendGrant(state, context.grant, spends);
    const { orders, positions } = state;
    const id = orders.id[order];
    const position = orders.position[order];
    const { account } = context;
    const market = positions.market[position];
    const amended = { order: id, account, market, price, remaining: lots, goodTilHeight, goodTilTime };
    if (inPlace) {
      const orderCost = computeRemainingOrderCost(orders.orderCost[order], orders.remaining[order], lots) as Amount;
      addReserve(
        state,
        order,
        (lots - orders.remaining[order]) as Lots,
        (orderCost - orders.orderCost[order]) as Amount,
      );
      orders.remaining[order] = lots;
      orders.orderCost[order] = orderCost;
      if (goodTilHeight !== getLastHeight(state, order) || goodTilTime !== getLastTime(state, order)) {
        setExpiry(state, order, goodTilHeight, goodTilTime);
      }
      state.events.orderAmended({ ...amended, orderCost, requeued: 0, rests: 1 });
      context.orderId = id;
      context.outcome = ORDER_OUTCOME.amended;
      return;
    }
    const flags = orders.flags[order];
    const selfTrade = orders.selfTrade[order];
    const clientOrderId = getClientOrderId(state, order);
    state.events.orderAmended({ ...amended, orderCost: 0, requeued: 1, rests: 0 });
    const filledBefore = orders.filled[order];
    const grant = getGrant(state, order);
    const requiredBefore = getRequiredBefore(state, position);
    removeOrder(state, order);
    enterOrder(state, context, {
      market,
      side: (flags & FLAG_SELL) !== 0 ? SIDE.sell : SIDE.buy,
      lots,
      excess: 0 as Lots,
      price,
      rests: true,
      killed: false,
      reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
      selfTrade: getSelfTradeMode(selfTrade),
      selfTradeScope: getSelfTradeScope(selfTrade),
      clientOrderId,
      orderId: id as OrderId,
      postOnly: getPostOnly(flags),
      goodTilHeight,
      goodTilTime,
      filledBefore,
      grant,
      orderCost: NONE,
      requiredBefore,
    });
  },
});
