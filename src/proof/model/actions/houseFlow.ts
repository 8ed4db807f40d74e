import { findAccount } from "../accounts.ts";
import { max, min, sum } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { setLadder } from "../house/ladder.ts";
import { setLevel, takeAhead } from "../house/levels.ts";
import { isQuote, ordersOf, takeBack } from "../house/quotes.ts";
import { type Ids, sendOrder, take } from "../house/sendOrder.ts";
import { countedLots, readSteps, STEP_BYTES, type Step } from "../house/steps.ts";
import { findMarket } from "../market/createMarket.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import type { Account, Market, ModelState } from "../state.ts";
import { LIMIT, SIDES } from "../words.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Recorded history of one market, replayed through a house account (ACC-1, ACC-2). */
const apply: Handler<"houseFlow"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const house = findAccount(state, payload.account, payload.subaccount);
  if (house === undefined || house.role !== "house") return rejected("NOT_HOUSE");
  const steps = readSteps(payload.steps);
  if (steps === undefined)
    return rejected(refuse(state, "STEPS_MALFORMED", { bytes: payload.steps.length, step: STEP_BYTES }));
  const { status, pauseTrade } = market.parameters;
  if (status !== "initializing" && status !== "postOnly" && status !== "active") return rejected("MARKET_CLOSED");
  if (pauseTrade === "on") return rejected("OPERATION_PAUSED");
  for (const side of SIDES) {
    const added = steps.filter((step) => step.side === side);
    const resting = ordersOf(market, house, side).filter((order) => isQuote(order, house));
    if (sum(added, countedLots) + sum(resting, ({ remaining }) => remaining) > LIMIT / 2n)
      return rejected("NUMERIC_LIMIT");
  }
  const ids = { next: context.firstId };
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!;
    if (step.kind !== "quote") {
      takeStep(state, market, house, step, ids);
      at++;
      continue;
    }
    let end = at + 1;
    while (steps[end]?.kind === "rest" && steps[end]?.side === step.side) end++;
    setLadder(state, market, house, step.side, steps.slice(at, end), ids);
    at = end;
  }
  return APPLIED;
};

export const houseFlow: ModelAction<"houseFlow"> = { domain: "system", authority: "operator", apply };

/** Any step that starts no ladder. */
function takeStep(state: ModelState, market: Market, house: Account, step: Step, ids: Ids): void {
  switch (step.kind) {
    case "clear":
      for (const order of ordersOf(market, house, step.side)) takeBack(state, order);
      break;
    case "print":
      take(state, market, house, step, 0);
      noteLast(state, market, step, step.lots);
      break;
    case "last":
      noteLast(state, market, step, 0n);
      break;
    case "level":
      setLevel(state, market, house, step, ids);
      break;
    case "ahead":
      takeAhead(state, market, house, step);
      break;
    default:
      sendOrder(state, market, house, step, ids);
  }
}

/** A recorded trade sets the last price; triggers by `last` read it. */
function noteLast(state: ModelState, market: Market, { side, price }: Step, size: bigint): void {
  market.last = price;
  market.low = market.low === 0n ? price : min(market.low, price);
  market.high = max(market.high, price);
  emit(state, "printed", { market: market.ordinal, side, price, size });
}
