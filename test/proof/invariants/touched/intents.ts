/** Intents. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import type { VenueEvent } from "../../../../src/protocol/events.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { bend, type Instant, setField } from "../../../helpers/moments.ts";
import { has, type Plants } from "./plant.ts";

type Placed = Extract<VenueEvent, { kind: "intentPlaced" }>;

/** A leg that was placed just now and whose entry rests. */
const isWaitingLeg = ({ orderIndex, orders }: State, event: VenueEvent): event is Placed =>
  event.kind === "intentPlaced" && event.entry !== 0 && orderIndex.find(orders, event.entry) !== NONE;

/** A slice after which a schedule has filled something, and has something left. */
const isPartFilled = (event: VenueEvent): event is Extract<VenueEvent, { kind: "intentSliced" }> =>
  event.kind === "intentSliced" && event.filled > 0 && event.left > 0;

/** The end of an intent after a slice of it. */
const isEndOfSchedule = (events: readonly VenueEvent[], event: VenueEvent, kind: VenueEvent["kind"]) =>
  event.kind === kind &&
  "intent" in event &&
  events.some((slice) => slice.kind === "intentSliced" && slice.intent === event.intent);

export const intentPlants: Plants = {
  firesArmed: [
    {
      fault: "an intent that was never armed",
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
  entryKeepsLegs: [
    {
      fault: "a leg that expires",
      isWanted: ({ events }) => events.some((event) => event.kind === "intentArmed"),
      plant({ state, events }) {
        const { intent } = events.find((event) => event.kind === "intentArmed")!;
        const row = state.intentIndex.find(intent);
        const [account, market] = [state.intents.account[row]!, state.intents.market[row]!];
        state.events.intentExpired({ intent, account, market });
      },
    },
    {
      fault: "a leg that fails while its entry rests",
      isWanted: ({ state, events }) => events.some((event) => isWaitingLeg(state, event)),
      plant({ state, events }) {
        const { intent, account, market } = events.find((event) => isWaitingLeg(state, event)) as Placed;
        state.events.intentFailed({ intent, account, market, code: 0, position: 0 });
      },
    },
    {
      fault: "a leg with a good-til",
      isWanted: ({ events }) => events.some((event) => event.kind === "intentPlaced" && event.entry !== 0),
      plant(instant) {
        const at = instant.events.findIndex((event) => event.kind === "intentPlaced" && event.entry !== 0);
        setField(instant.state, instant.places[at]!, "intentPlaced", "goodTilTime", 9);
      },
    },
  ],
  slicesWithin: [
    ...(["size", "filled", "left", "slice"] as const).map((field) => ({
      fault: `a slice with a ${field} that is wrong`,
      isWanted: has("intentSliced"),
      plant: (instant: Instant) => bend(instant, "intentSliced", field, 1_000_000),
    })),
    {
      fault: "a schedule that reports more unfilled than it had left",
      isWanted: ({ events }) => events.some((event) => isEndOfSchedule(events, event, "intentExecuted")),
      plant(instant) {
        const { events, places, state } = instant;
        const at = events.findIndex((event) => isEndOfSchedule(events, event, "intentExecuted"));
        const { unfilled } = events[at] as Extract<VenueEvent, { kind: "intentExecuted" }>;
        setField(state, places[at]!, "intentExecuted", "unfilled", unfilled + 1);
      },
    },
    {
      fault: "a schedule that filled something and fails",
      isWanted: ({ events }) => events.some(isPartFilled),
      plant({ state, events }) {
        const { intent } = events.find(isPartFilled)!;
        state.events.intentFailed({ intent, account: 0, market: 0, code: 0, position: 0 });
      },
    },
  ],
  trailFollows: [
    {
      fault: "an extreme that does not improve",
      isWanted: has("intentTrailed"),
      plant({ state, events }) {
        const { intent, extreme, trigger } = events.find((event) => event.kind === "intentTrailed")!;
        state.events.intentTrailed({ intent, extreme, trigger });
      },
    },
  ],
};
