/** Positions, and money without a source. */

import { findDependence as findTradeDependence } from "../../../../src/proof/invariants/positions/equityIgnoresTrades.ts";
import { MARKET_STATUS } from "../../../../src/protocol/words.ts";
import { measureMarginAccount } from "../../../../src/venue/engine/margin/health.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { TOTAL } from "../../../../src/venue/engine/state/totals.ts";
import { listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { eventStep, firstOpen, type Plants } from "./plant.ts";

/** A settled market. */
const settledMarket = (state: State) => state.parameters.findIndex(({ status }) => status === MARKET_STATUS.settled);

const settled = () => findMoment(({ state }) => settledMarket(state) >= 0);

export const positionPlants: Plants = {
  settledIsOver: [
    {
      fault: "a position left open",
      at: settled,
      plant(state) {
        const at = listPositions(state).find((row) => state.positions.signedLots[row] !== 0);
        if (at === undefined) loose(state.markets.openInterest)[settledMarket(state)] = 1;
        else loose(state.positions.market)[at] = settledMarket(state);
      },
    },
    {
      fault: "a mark that moved",
      at: settled,
      plant: (state) => void loose(state.markets.mark)[settledMarket(state)]!++,
    },
    {
      fault: "a haircut larger than the gain",
      plant: (_state, step) =>
        eventStep(step, [
          { kind: "positionChanged", account: 1, market: 0, size: 0, realized: 5 },
          { kind: "settlementHaircut", account: 1, market: 0, marginAccount: -1, amount: 6 },
        ]),
    },
  ],
  equityIgnoresTrades: [
    {
      fault: "equity by the last trade",
      plant: () => {},
      check: (state, step) =>
        findTradeDependence(state, step, (venue, account, marginAccount) => {
          const health = measureMarginAccount(venue, account, marginAccount);
          health.equity += venue.markets.last[0 as never]!;
          return health;
        }),
    },
  ],
  netZero: [
    { fault: "a short too small", plant: (state) => void loose(state.positions.signedLots)[firstOpen(state)]!++ },
  ],
  openInterest: [
    {
      fault: "a long too large",
      plant: (state) =>
        void loose(state.positions.signedLots)[
          listPositions(state).find((at) => state.positions.signedLots[at]! > 0)!
        ]!++,
    },
    { fault: "open interest left over", plant: ({ markets }) => void loose(markets.openInterest)[0]!++ },
  ],
  conservation: [
    { fault: "a unit out of nothing", plant: ({ accounts }) => void loose(accounts.collateral)[1]!++ },
    { fault: "a unit of cost lost", plant: (state) => void loose(state.positions.cost)[firstOpen(state)]!-- },
    { fault: "a fee booked twice", plant: ({ totals }) => totals.add(TOTAL.fees, 1 as never) },
    { fault: "dust swept away", plant: ({ markets }) => void loose(markets.dust)[0]!-- },
  ],
  bounds: [
    { fault: "insurance below zero", plant: ({ totals }) => totals.set(TOTAL.insurance, -1n) },
    { fault: "bad debt below zero", plant: ({ totals }) => totals.set(TOTAL.badDebt, -1n) },
    { fault: "dust below zero", plant: ({ markets }) => void (loose(markets.dust)[0] = -1) },
    { fault: "more dust than rounding leaves", plant: ({ markets }) => void (loose(markets.dust)[0] = 1e6) },
  ],
};
