import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT, type Lots } from "../../../ground/math/fixed.ts";
import { actions } from "../../../protocol/actions/index.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { ORDER_TYPE, ORDER_TYPES, POST_ONLY, ROLE, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { checkAgentOrder, getOrderNotional, spendGrant } from "../authorization/limits.ts";
import { isExpired } from "../book/expiry.ts";
import { describeExpiry, describeTaking, FieldChecks } from "../handler/checkFields.ts";
import { type ActionContext, defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { checkClientId } from "../handler/findOrder.ts";
import { OFF_GRID, toSteps } from "../handler/grid.ts";
import { isFillable } from "../matching/fillable.ts";
import { NOT_BELOW } from "../matching/keepRequired.ts";
import { getTakerRate } from "../matching/volume.ts";
import { checkIncrease, isFrozen, refuseFrozen } from "../prices/validity.ts";
import { getPosition, type State } from "../state/state.ts";
import { computeOrderCost } from "../valuation/orderCost.ts";
import {
  boundPrice,
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
import { type EnteringOrder, enterOrder } from "./enterOrder.ts";

const FIELDS = new FieldChecks(actions.placeOrder);

interface PlaceOrderPlan extends Plan, EnteringOrder {}

/** Matches a new order and rests its remainder if its time in force allows (ORD-1, ORD-2). */
export const handlePlaceOrder = defineHandler<"placeOrder">("placeOrder")<PlaceOrderPlan>({
  check(state, context, order) {
    const market = state.marketRows.get(order.market);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: order.market });
    const rules = state.parameters[market]!;
    const { side, reduceOnly } = order;
    const isMarket = order.orderType === ORDER_TYPE.market;
    const { timeInForce, goodTilHeight, goodTilTime } = order;
    const rests = !isMarket && (timeInForce === TIME_IN_FORCE.GTC || timeInForce === TIME_IN_FORCE.GTT);
    const closed = checkStatus(state, market, reduceOnly, rests && order.postOnly !== POST_ONLY.no);
    if (closed !== undefined) return closed;

    const refused = FIELDS.refuse(order);
    if (refused !== undefined) return refused;
    const mark = state.markets.mark[market];
    if (mark === 0) return reject("PRICE_UNAVAILABLE", { market: order.market });
    if (order.price === 0 && FIELDS.find("PRICE_REQUIRED", order) !== undefined) {
      return reject("PRICE_REQUIRED", { orderType: ORDER_TYPES[order.orderType]! });
    }
    if (timeInForce === TIME_IN_FORCE.GTT || goodTilHeight !== 0 || goodTilTime !== 0) {
      if (FIELDS.find("EXPIRY_MISMATCH", order) !== undefined) return reject("EXPIRY_MISMATCH", describeExpiry(order));
      if (isExpired(state, goodTilHeight, goodTilTime)) {
        return reject("EXPIRY_PASSED", { goodTilHeight, height: state.height, goodTilTime, timeMs: state.timeMs });
      }
    }
    if (order.slippage > rules.slippageMax * 1000) {
      return reject("SLIPPAGE_TOO_LARGE", { slippage: order.slippage, most: rules.slippageMax * 1000 });
    }
    if (order.size === 0) return reject("SIZE_NOT_POSITIVE", { size: 0 });
    const lots = toSteps(order.size, rules.lotSize) as Lots;
    if (lots === OFF_GRID) return reject("OFF_LOT", { size: order.size, lotSize: rules.lotSize });
    const asked = boundPrice(rules, side, mark, order);
    if (asked === OFF_GRID) return reject("OFF_TICK", { price: order.price, tickSize: rules.tickSize });
    const price = slidePrice(state, market, side, asked, order.postOnly);
    const terms = { side, lots, price, reduceOnly };
    const house = state.accounts.role[context.account] === ROLE.house;
    const limits = checkLimits(state, market, terms, house);
    if (limits !== undefined) return limits;
    if (house && rests && !fitsResting(state, context.account, market, side, lots)) {
      return reject("NUMERIC_LIMIT", { lots, limit: LIMIT / 2 });
    }

    const { clientOrderId } = order;
    const taken = checkClientId(state, context.account, clientOrderId);
    if (taken !== undefined) return taken;
    const position = getPosition(state, context.account, market);
    const resting = position === NONE ? 0 : state.positions.orderCount[position];
    if (rests && !house && resting >= rules.openOrdersMax) {
      return reject("OPEN_ORDERS_LIMIT", { orders: resting, most: rules.openOrdersMax });
    }
    const signedLots = position === NONE ? 0 : state.positions.signedLots[position];
    if (reduceOnly && (side === SIDE.buy ? signedLots >= 0 : signedLots <= 0))
      return reject("REDUCE_ONLY_WOULD_INCREASE", { size: signedLots });
    if (order.postOnly !== POST_ONLY.no) {
      if (FIELDS.find("POST_ONLY_WITH_TAKING", order) !== undefined) {
        return reject("POST_ONLY_WITH_TAKING", describeTaking(order));
      }
      const takes = checkPostOnly(state, market, side, price);
      if (takes !== undefined) return takes;
    }
    const adds = !house && !reduceOnly && !onlyReduces(state, position, side, lots);
    const unpriced = adds ? checkIncrease(state, market, order.postOnly !== POST_ONLY.no) : undefined;
    if (unpriced !== undefined) return unpriced;
    if (context.grant !== NONE) {
      const limited = checkAgentOrder(state, context.grant, context.account, market, { ...terms, opens: rests });
      if (limited !== undefined) return limited;
    }
    if (adds && isFrozen(state, market)) return refuseFrozen(state, market);
    let requiredBefore: number | undefined;
    let enteringCost: number = NONE;
    if (!house) {
      const open = (reduceOnly && Math.abs(signedLots) < lots ? Math.abs(signedLots) : lots) as Lots;
      const orderCost = computeOrderCost(rules, side, open, price, mark, getTakerRate(state, rules, context.account));
      if (!reduceOnly) enteringCost = orderCost;
      if (!reduceOnly && hasAmpleMargin(state, context.account, market, terms, orderCost)) {
        requiredBefore = NOT_BELOW;
      } else {
        const margin = reduceOnly
          ? checkReduceOnlyMargin(state, context.account, market, { ...terms, lots: open }, orderCost)
          : checkMargin(state, context.account, market, terms, orderCost);
        if (margin !== undefined) return margin;
      }
    }
    const kills = timeInForce === TIME_IN_FORCE.FOK;
    const whole = (kills && reduceOnly && Math.abs(signedLots) < lots ? Math.abs(signedLots) : lots) as Lots;
    const killed =
      kills &&
      !isFillable(state, context.account, market, {
        ...terms,
        lots: whole,
        selfTradeScope: order.selfTradeScope,
        selfTrade: order.selfTrade,
      });
    return {
      rejected: false,
      market,
      side,
      lots: whole,
      excess: (lots - whole) as Lots,
      price,
      rests,
      killed,
      reduceOnly,
      selfTrade: order.selfTrade,
      selfTradeScope: order.selfTradeScope,
      clientOrderId,
      orderId: context.firstOrderId as OrderId,
      postOnly: order.postOnly,
      goodTilHeight,
      goodTilTime,
      filledBefore: 0,
      grant: context.grant,
      orderCost: enteringCost,
      requiredBefore,
    };
  },

  apply(state: State, context: ActionContext, plan: PlaceOrderPlan) {
    if (context.grant !== NONE && !plan.reduceOnly) {
      spendGrant(state, context.grant, getOrderNotional(state, plan.market, plan));
    }
    enterOrder(state, context, plan);
  },
});
