import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT, type Lots, type Ticks } from "../../../ground/math/fixed.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../../protocol/houseSteps.ts";
import { MARKET_STATUS, MARKET_STATUSES, ROLE, SIDE } from "../../../protocol/words.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { TICKS_MOST } from "../handler/grid.ts";
import { clearSide, type Flow, printTrade, restOrder, setLadder, setLast } from "../matching/house.ts";
import { setLevel, takeAhead } from "../matching/houseLevels.ts";
import { findAccount } from "../state/accounts.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { fitsResting } from "./checkOrder.ts";

interface HouseFlowPlan extends Plan {
  readonly market: MarketRow;
  readonly account: AccountRow;
  readonly steps: Float64Array;
}

/** Steps of one flow that may open an order: ids are reserved per transaction. */
const ORDERS_MOST = 64;
const KIND_MOST = HOUSE_STEP.ahead;

/** Replays history of one market through a house account, step by step (ACC-1). */
export const handleHouseFlow = defineHandler<"houseFlow">("houseFlow")<HouseFlowPlan>({
  check(state, _context, { market: name, account: address, subaccount, steps }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const account = findAccount(state, keyOf(state, address, subaccount));
    if (account === NONE || state.accounts.role[account] !== ROLE.house)
      return reject("NOT_HOUSE", { account: address, subaccount });
    const doubles = readSteps(steps);
    if (doubles === undefined) return reject("STEPS_MALFORMED", { bytes: steps.length, step: 8 * HOUSE_STEP_WIDTH });
    const { status, pauseTrade } = state.parameters[market]!;
    if (status > MARKET_STATUS.active) return reject("MARKET_CLOSED", { status: MARKET_STATUSES[status]! });
    if (pauseTrade !== 0) return reject("OPERATION_PAUSED", { operation: "trade" });
    for (const side of [SIDE.buy, SIDE.sell]) {
      const lots = sumResting(doubles, side);
      if (!fitsResting(state, account, market, side, lots)) return reject("NUMERIC_LIMIT", { lots, limit: LIMIT / 2 });
    }
    return { rejected: false, market, account, steps: doubles };
  },

  apply(state, context, { market, account, steps }) {
    const position = ensurePosition(state, account, market);
    const flow: Flow = { market, account, position, nextOrderId: context.firstOrderId };
    let at = 0;
    while (at < steps.length) {
      const kind = steps[at]!;
      const price = steps[at + 1]! as Ticks;
      const lots = steps[at + 2]! as Lots;
      const side = steps[at + 3]!;
      const from = at;
      at += HOUSE_STEP_WIDTH;
      switch (kind) {
        case HOUSE_STEP.print:
          printTrade(state, flow, side, price, lots);
          break;
        case HOUSE_STEP.quote:
          // Resting steps that follow a quote belong to it: the side is set as a whole.
          while (at < steps.length && steps[at] === HOUSE_STEP.rest && steps[at + 3] === side) at += HOUSE_STEP_WIDTH;
          setLadder(state, flow, side, steps, { from, to: at });
          break;
        case HOUSE_STEP.rest:
          restOrder(state, flow, side, price, lots);
          break;
        case HOUSE_STEP.level:
          setLevel(state, flow, side, price, lots);
          break;
        case HOUSE_STEP.ahead:
          takeAhead(state, flow, side, price, lots);
          break;
        case HOUSE_STEP.clear:
          clearSide(state, position, side);
          break;
        default:
          setLast(state, market, side, price);
      }
    }
    releaseIfEmpty(state, position);
  },
});

/** The steps as doubles, or undefined if any of them is not one. */
function readSteps(bytes: Uint8Array): Float64Array | undefined {
  if (bytes.length % (HOUSE_STEP_WIDTH * 8) !== 0) return undefined;
  const steps =
    bytes.byteOffset % 8 === 0
      ? new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
      : new Float64Array(bytes.slice().buffer);
  let orders = 0;
  for (let at = 0; at < steps.length; at += HOUSE_STEP_WIDTH) {
    const kind = steps[at]!;
    const price = steps[at + 1]!;
    const lots = steps[at + 2]!;
    const side = steps[at + 3]!;
    if (!(kind >= 0 && kind <= KIND_MOST && Math.floor(kind) === kind)) return undefined;
    if (!(price >= 1 && price <= TICKS_MOST && Math.floor(price) === price)) return undefined;
    if (!(lots >= 0 && lots <= LIMIT && Math.floor(lots) === lots)) return undefined;
    if (side !== SIDE.buy && side !== SIDE.sell) return undefined;
    if (addsLots(kind) && (lots > 0 || kind !== HOUSE_STEP.level)) orders++;
  }
  return orders <= ORDERS_MOST ? steps : undefined;
}

/** Whether steps of a kind may add lots to the book. */
function addsLots(kind: number): boolean {
  return kind === HOUSE_STEP.quote || kind === HOUSE_STEP.rest || kind === HOUSE_STEP.level;
}

/** Lots that the steps may rest on a side, were none of them to trade. */
function sumResting(steps: Float64Array, side: number): number {
  let lots = 0;
  for (let at = 0; at < steps.length; at += HOUSE_STEP_WIDTH) {
    if (addsLots(steps[at]!) && steps[at + 3] === side) lots += steps[at + 2]!;
  }
  return lots;
}

/** Keys of house accounts by name: a replay names the same one in every block. */
function keyOf(state: State, address: AccountKey["address"], subaccount: number): AccountKey {
  const last = state.houseKey;
  if (last !== undefined && last.address === address && last.subaccount === subaccount) return last;
  state.houseKey = new AccountKey(address, subaccount);
  return state.houseKey;
}
