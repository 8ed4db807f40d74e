import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { actions } from "../../../protocol/actions/index.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { POST_ONLY, ROLE, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../../protocol/words.ts";
import { FieldChecks } from "../handler/checkFields.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { checkClientId } from "../handler/findOrder.ts";
import { OFF_GRID, toSteps } from "../handler/grid.ts";
import { getTakerRate } from "../matching/volume.ts";
import { getPosition } from "../state/state.ts";
import { computeOrderCost } from "../valuation/orderCost.ts";
import { boundPrice, checkLimits, checkReduceOnlyMargin, checkStatus } from "./checkOrder.ts";
import { type EnteringOrder, enterOrder } from "./enterOrder.ts";

const FIELDS = new FieldChecks(actions.closePosition);

interface ClosePositionPlan extends Plan, EnteringOrder {}

/** Sends a reduce-only IOC against a position; own resting orders in its way are cancelled. */
export const handleClosePosition = defineHandler<"closePosition">("closePosition")<ClosePositionPlan>({
  check(state, context, close) {
    const { account } = context;
    const market = state.marketRows.get(close.market);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: close.market });
    const rules = state.parameters[market]!;
    const closed = checkStatus(state, market, true, false);
    if (closed !== undefined) return closed;
    const refused = FIELDS.refuse(close);
    if (refused !== undefined) return refused;
    const position = getPosition(state, account, market);
    const signedLots = position === NONE ? 0 : state.positions.signedLots[position];
    if (signedLots === 0) return reject("POSITION_NOT_FOUND", { market: close.market });
    const mark = state.markets.mark[market];
    if (FIELDS.find("PRICE_REQUIRED", close) !== undefined) return reject("PRICE_REQUIRED", { orderType: "market" });
    if (close.slippage > rules.slippageMax * 1000) {
      return reject("SLIPPAGE_TOO_LARGE", { slippage: close.slippage, most: rules.slippageMax * 1000 });
    }
    const open = Math.abs(signedLots);
    const wanted = close.size === 0 ? open : toSteps(close.size, rules.lotSize);
    if (wanted === OFF_GRID) return reject("OFF_LOT", { size: close.size, lotSize: rules.lotSize });
    const lots = Math.min(wanted, open) as Lots;
    const side = signedLots > 0 ? SIDE.sell : SIDE.buy;
    const price = boundPrice(rules, side, mark, close);
    if (price === OFF_GRID) return reject("OFF_TICK", { price: close.price, tickSize: rules.tickSize });
    const house = state.accounts.role[account] === ROLE.house;
    // A position larger than the largest order closes in parts.
    const part = (house ? lots : Math.min(lots, rules.maxLots)) as Lots;
    const terms = { side, lots: part, price, reduceOnly: true };
    const limits = checkLimits(state, market, terms, house);
    if (limits !== undefined) return limits;
    const taken = checkClientId(state, account, close.clientOrderId);
    if (taken !== undefined) return taken;
    if (!house) {
      const orderCost = computeOrderCost(rules, side, part, price, mark, getTakerRate(state, rules, account));
      const margin = checkReduceOnlyMargin(state, account, market, terms, orderCost);
      if (margin !== undefined) return margin;
    }
    return {
      rejected: false,
      market,
      side,
      lots: part,
      excess: 0 as Lots,
      price,
      rests: false,
      killed: false,
      reduceOnly: true,
      selfTrade: SELF_TRADE.cancelMaker,
      selfTradeScope: SELF_TRADE_SCOPE.account,
      clientOrderId: close.clientOrderId,
      orderId: context.firstOrderId as OrderId,
      postOnly: POST_ONLY.no,
      goodTilHeight: 0,
      goodTilTime: 0,
      filledBefore: 0,
      grant: context.grant,
      orderCost: NONE,
      requiredBefore: undefined,
    };
  },

  apply(state, context, plan) {
    enterOrder(state, context, plan);
  },
});
