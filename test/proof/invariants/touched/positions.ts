/** Positions and their profit. */

import { SIDE } from "../../../../src/protocol/words.ts";
import { listMarkets } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant, setField } from "../../../helpers/moments.ts";
import { filledOnce, has, type Plants, replaceRules, traded } from "./plant.ts";

/** Whether a taker's fill made its position smaller and neither closed nor reversed it. */
function isReduction({ events }: Instant): boolean {
  const fill = events.find((event) => event.kind === "fill");
  if (fill === undefined) return false;
  const after = events.find((event) => event.kind === "positionChanged" && event.account === fill.takerAccount);
  if (after?.kind !== "positionChanged" || after.realized === 0) return false;
  return fill.takerSide === SIDE.buy ? after.size < 0 : after.size > 0;
}

export const positionPlants: Plants = {
  netZero: [
    {
      fault: "a lot too many",
      isWanted: filledOnce,
      plant: (it) => bend(it, "positionChanged", "size", 1),
    },
  ],
  openInterest: [
    {
      fault: "open interest that did not change",
      isWanted: has("positionChanged"),
      plant({ state }) {
        for (const market of listMarkets(state)) loose(state.markets.openInterest)[market]!++;
      },
    },
  ],
  fillMovesValue: [
    { fault: "a fee that was not charged", isWanted: traded, plant: (it) => bend(it, "fill", "takerFee", 1) },
    {
      fault: "a close that moves another value",
      isWanted: has("deleveraged"),
      plant: (it) => bend(it, "deleveraged", "value", 1),
    },
    { fault: "a lot that is missing", isWanted: traded, plant: (it) => bend(it, "positionChanged", "size", 1) },
  ],
  realizedByRule: [
    {
      fault: "profit of another size",
      isWanted: (it) => it.events.some((event) => event.kind === "positionChanged" && event.realized !== 0),
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "positionChanged" && event.realized !== 0);
        const event = events[at] as { realized: number; cost: number };
        setField(state, places[at]!, "positionChanged", "realized", event.realized + 1);
        setField(state, places[at]!, "positionChanged", "cost", event.cost + 1);
      },
    },
  ],
  entryPriceHolds: [
    {
      fault: "a reduction that moves the entry price",
      isWanted: isReduction,
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "positionChanged")
            setField(state, places[at]!, "positionChanged", "cost", event.cost * 2 + 1e6);
        }
      },
    },
  ],
  flatIsEmpty: [
    {
      fault: "a cost without a size",
      isWanted: (it) =>
        it.step !== "riskPassed" && it.events.some((event) => event.kind === "positionChanged" && event.size === 0),
      plant({ state, events, places }) {
        const at = events.findIndex((event) => event.kind === "positionChanged" && event.size === 0);
        setField(state, places[at]!, "positionChanged", "cost", 1);
      },
    },
  ],
  openInterestWithin: [
    {
      fault: "more than the market's limit",
      isWanted: (it) =>
        traded(it) && it.events.some((event) => event.kind === "positionChanged" && event.realized === 0),
      plant: (it) => replaceRules(it, { openInterestLimitLots: 0 as never }),
      later: true,
    },
  ],
  positionWithin: [
    {
      fault: "more than the owner's limit",
      isWanted: traded,
      plant: (it) => replaceRules(it, { positionLimitLots: 0 as never }),
      later: true,
    },
  ],
};
