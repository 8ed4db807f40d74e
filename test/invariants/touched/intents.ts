/** Intents. */
import { has, type Plants } from "./plant.ts";

export const intentPlants: Plants = {
  firesArmed: [
    {
      fault: "an intent that nobody armed",
      isWanted: ({ step }) => step === "triggersFired",
      plant: ({ state }) => state.events.intentTriggered({ intent: 7, account: 1, market: 0, value: 1, size: 1 }),
    },
    {
      fault: "an intent that fires twice",
      isWanted: has("intentTriggered"),
      plant({ state, events }) {
        const { intent, account, market, value, size } = events.find((event) => event.kind === "intentTriggered")!;
        state.events.intentTriggered({ intent, account, market, value, size });
      },
    },
  ],
  endsOnce: [
    {
      fault: "an intent that ends twice",
      isWanted: has("intentCancelled"),
      plant({ state, events }) {
        const { intent, account, market } = events.find((event) => event.kind === "intentCancelled")!;
        state.events.intentExpired({ intent, account, market });
      },
    },
  ],
  trailFollows: [
    {
      fault: "an extreme that is no better",
      isWanted: has("intentTrailed"),
      plant({ state, events }) {
        const { intent, extreme, trigger } = events.find((event) => event.kind === "intentTrailed")!;
        state.events.intentTrailed({ intent, extreme, trigger });
      },
    },
  ],
};
