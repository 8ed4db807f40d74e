/** Funding. */

import { FUNDING_METHOD, MARKET_STATUS } from "../../../../src/protocol/words.ts";
import { listMarkets } from "../../../../src/venue/engine/state/walk.ts";
import { loose } from "../../../helpers/loose.ts";
import { bend, type Instant, setField } from "../../../helpers/moments.ts";
import { has, type Plants, replaceRules, set } from "./plant.ts";

const funded = (it: Instant) =>
  has("fundingAccrued")(it) &&
  it.state.parameters.every(({ fundingMethod }) => fundingMethod !== FUNDING_METHOD.reported);

export const fundingPlants: Plants = {
  fundingRates: [
    ...(["rate", "due", "carry", "indexLow"] as const).map((field) => ({
      fault: `a payment with another ${field}`,
      isWanted: funded,
      plant: (it: Instant) => bend(it, "fundingAccrued", field, 1),
    })),
    ...(["settledMs", "sampledMs", "due", "carry"] as const).map((field) => ({
      fault: `an interval that ends with another ${field}`,
      isWanted: has("premiumsCleared"),
      plant: (it: Instant) => bend(it, "premiumsCleared", field, 1),
    })),
    {
      fault: "a block gap whose time is not dropped",
      isWanted: (it) => it.step === "opened" && has("premiumsCleared")(it),
      plant: (it) => bend(it, "premiumsCleared", "settledMs", -1),
    },
    {
      fault: "a pause that earns something",
      isWanted: (it) => it.transaction !== undefined && has("premiumsCleared")(it),
      plant: (it) => bend(it, "premiumsCleared", "due", 1),
    },
  ],
  fundingSign: [
    {
      fault: "payer and receiver swapped",
      isWanted: (it) => it.events.some((event) => event.kind === "fundingSettled" && event.payment !== 0),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "fundingSettled")
            setField(state, places[at]!, "fundingSettled", "payment", -event.payment);
        }
      },
    },
  ],
  fundingOnce: [
    { fault: "a payment of the future", isWanted: funded, plant: (it) => bend(it, "fundingAccrued", "settledMs", 1e9) },
    { fault: "time that goes back", isWanted: funded, plant: (it) => set(it, "fundingAccrued", "settledMs", -1) },
  ],
  fundingCapped: [
    { fault: "too much at once", isWanted: funded, plant: (it) => set(it, "fundingAccrued", "rate", 9e14) },
  ],
  openedPaysNothing: [
    {
      fault: "a remainder from before",
      isWanted: has("positionChanged"),
      plant({ state, events, places }) {
        for (const [at, event] of events.entries()) {
          if (event.kind === "positionChanged") setField(state, places[at]!, "positionChanged", "fundingRemainder", 5);
        }
      },
      later: true,
    },
  ],
  settledBeforeChange: [
    {
      fault: "a settlement up to another index",
      isWanted: (it) => has("fundingSettled")(it) && has("positionChanged")(it),
      plant: (it) => bend(it, "fundingSettled", "fundingLow", 1),
    },
  ],
  poolWithoutInterest: [
    {
      fault: "money that stayed in the pool",
      isWanted: (it) =>
        it.events.some(
          (event) => event.kind === "positionChanged" && it.state.markets.openInterest[event.market as never] === 0,
        ),
      plant({ state }) {
        for (const market of listMarkets(state)) loose(state.markets.poolLow)[market]!++;
      },
    },
  ],
  fundsWhereAllowed: [
    {
      fault: "funding while restarting after a halt",
      isWanted: has("fundingSampled"),
      plant: ({ state }) => void (state.markets.restarting as unknown as Uint8Array).fill(1),
    },
    {
      fault: "funding of a settled market",
      isWanted: has("fundingSampled"),
      plant: (it) => replaceRules(it, { status: MARKET_STATUS.settled }),
    },
    {
      fault: "a sample in a pause",
      isWanted: has("fundingSampled"),
      plant: (it) => replaceRules(it, { pauseFund: 1 }),
    },
  ],
};
