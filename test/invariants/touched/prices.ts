/** Prices, gaps and the states of a market. */
import { MARK_METHOD, MARKET_STATUS } from "../../../src/protocol/words.ts";
import { bend } from "../../helpers/moments.ts";
import { has, type Plants, replaceRules, set, traded } from "./plant.ts";

export const pricePlants: Plants = {
  movesWithinClamp: [
    {
      fault: "a leap of the index",
      isWanted: (it) =>
        it.step === "pricesMoved" &&
        it.block.height > 5 &&
        has("pricesMoved")(it) &&
        it.state.parameters.every(({ markMethod }) => markMethod !== MARK_METHOD.external),
      plant: (it) => bend(it, "pricesMoved", "index", 9e14),
    },
    { fault: "a mark of nothing", isWanted: has("pricesMoved"), plant: (it) => set(it, "pricesMoved", "mark", 0) },
  ],
  markNearIndex: [
    {
      fault: "a mark far away",
      isWanted: (it) =>
        it.step === "pricesMoved" &&
        has("pricesMoved")(it) &&
        it.state.parameters.every(({ markMethod }) => markMethod !== MARK_METHOD.external),
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
      fault: "a step that there is not",
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
      fault: "a trade in a gap",
      isWanted: traded,
      plant: ({ state }) => void (state.markets.gap as unknown as Uint8Array).fill(1),
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
  gapStopsRisk: [
    {
      fault: "a liquidation in a gap",
      isWanted: (it) => it.step === "riskPassed" && (has("fill")(it) || has("deleveraged")(it)),
      plant: ({ state }) => void (state.markets.gap as unknown as Uint8Array).fill(1),
    },
  ],
};
