/** Prices, restarts and the statuses of a market. */

import { MARK_METHOD, MARKET_STATUS, ROLE } from "../../../../src/protocol/words.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { listMarkets } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant } from "../../../helpers/moments.ts";
import { has, type Plants, replaceRules, set, traded } from "./plant.ts";

/** Whether a user's taker fills a maker whose position it opens or increases. */
function fillsAnOpeningMaker({ state: { accounts }, events }: Instant): boolean {
  const fill = events.find((event) => event.kind === "fill");
  if (fill === undefined || fill.liquidation !== 0) return false;
  const parties = [fill.makerAccount, fill.takerAccount] as AccountRow[];
  if (parties.some((account) => accounts.role[account] === ROLE.house)) return false;
  return events.some(
    (event) => event.kind === "positionChanged" && event.account === fill.makerAccount && event.realized === 0,
  );
}

export const pricePlants: Plants = {
  movesWithinClamp: [
    {
      fault: "a leap of the index",
      isWanted: (it) =>
        it.step === "pricesMoved" &&
        it.block.height > 5 &&
        has("pricesMoved")(it) &&
        it.state.parameters.every(({ markMethod }) => markMethod !== MARK_METHOD.reported),
      plant: (it) => bend(it, "pricesMoved", "index", 9e14),
    },
    { fault: "a mark of zero", isWanted: has("pricesMoved"), plant: (it) => set(it, "pricesMoved", "mark", 0) },
  ],
  markNearIndex: [
    {
      fault: "a mark far away",
      isWanted: (it) =>
        it.step === "pricesMoved" &&
        has("pricesMoved")(it) &&
        it.state.parameters.every(({ markMethod }) => markMethod !== MARK_METHOD.reported),
      plant: (it) => bend(it, "pricesMoved", "mark", 9e14),
    },
  ],
  oracleIsPositive: [
    { fault: "a negative price", isWanted: has("oracleUpdated"), plant: (it) => set(it, "oracleUpdated", "price", -1) },
    {
      fault: "a price of tomorrow",
      isWanted: has("oracleUpdated"),
      plant: (it) => bend(it, "oracleUpdated", "timeMs", 1e10),
    },
  ],
  statusSteps: [
    {
      fault: "a change of status that the lifecycle does not allow",
      isWanted: (it) => it.block.height > 2 && has("marketChanged")(it) && it.transaction?.action === "updateMarket",
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.initializing }),
    },
  ],
  closedMarketsRest: [
    {
      fault: "a trade in a halted market",
      isWanted: traded,
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.halted }),
    },
    {
      fault: "a trade while restarting after a halt",
      isWanted: traded,
      plant: ({ state }) => void (state.markets.restarting as unknown as Uint8Array).fill(1),
    },
  ],
  reduceOnlyMarkets: [
    {
      fault: "a position that grows",
      isWanted: (it) =>
        it.events.some(
          (event) => event.kind === "positionChanged" && event.account === it.actor && event.realized === 0,
        ) && traded(it),
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.reduceOnly }),
    },
  ],
  gatedMakersReduce: [
    {
      fault: "a maker that opens in a reduce-only market",
      isWanted: fillsAnOpeningMaker,
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.reduceOnly }),
    },
    {
      fault: "a maker that opens while the index catches up",
      isWanted: fillsAnOpeningMaker,
      plant(it) {
        replaceRules(it, { markMethod: MARK_METHOD.oracle });
        for (const market of listMarkets(it.state)) loose(it.state.markets.oracle)[market]! += 1;
      },
    },
  ],
  restartStopsRisk: [
    {
      fault: "a liquidation while restarting after a halt",
      isWanted: (it) => it.step === "riskPassed" && (has("fill")(it) || has("deleveraged")(it)),
      plant: ({ state }) => void (state.markets.restarting as unknown as Uint8Array).fill(1),
    },
  ],
};
