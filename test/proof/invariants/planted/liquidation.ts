/** Liquidations: their prices, records, steps and takeovers. */

import { findLatePrice } from "../../../../src/proof/invariants/liquidation/liquidationPriceIsFirst.ts";
import type { Step } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { exactValue } from "../../../../src/proof/invariants/machinery/exact/health.ts";
import { CLOSE_KIND, LIQUIDATION_STAGE } from "../../../../src/protocol/events.ts";
import { liquidationOf } from "../../../../src/protocol/liquidationId.ts";
import { isLiquidationStep } from "../../../../src/protocol/liquidationStep.ts";
import { LIQUIDATION_POLICY } from "../../../../src/protocol/words.ts";
import { getLiquidationPrice } from "../../../../src/venue/engine/margin/liquidationPrice.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { eventStep, type Plants } from "./plant.ts";

const opened = (equity: number, maintenance: number) => ({
  kind: "liquidationStarted",
  liquidation: 7,
  account: 1,
  marginAccount: -1,
  equity,
  maintenance,
});

const continued = (equity: number, maintenance: number) => ({
  ...opened(equity, maintenance),
  kind: "liquidationContinued",
});

const stageOf = (stage: keyof typeof LIQUIDATION_STAGE) => ({
  kind: "liquidationStage",
  liquidation: 7,
  account: 1,
  stage: LIQUIDATION_STAGE[stage],
  market: 0,
});

/** The events with a record that begins in the block of the state. */
const recordOf = ({ height }: State, ...reported: object[]) =>
  reported.map((event) => ({ ...event, liquidation: liquidationOf(height, 60_000) }));

const takenOver = (counterparty: number) => ({
  kind: "deleveraged",
  liquidation: 7,
  way: CLOSE_KIND.takeover,
  market: 0,
  account: 1,
  counterparty,
  size: 1,
});

/** A step that leaves something open, of an account that is no counterparty of another step. */
const turned = () =>
  findMoment(({ step: { events } }) => {
    const started = events.filter(isLiquidationStep);
    const plain = events.every(
      ({ kind }) => kind !== "deleveraged" && kind !== "lossSocialized" && kind !== "backstopUnwound",
    );
    const ended = events.some(
      (event) => event.kind === "liquidationStage" && event.stage === LIQUIDATION_STAGE.completed,
    );
    return started.length === 1 && plain && !ended;
  });

/** A venue with a backstop, in a market of its own policy. */
const backed = () =>
  findMoment(
    ({ state }) => state.backstops.length > 0 && state.parameters[0]!.liquidationPolicy === LIQUIDATION_POLICY.perplab,
  );

/** The same near the oracle price. */
const near = () =>
  findMoment(
    ({ state }) =>
      state.backstops.length > 0 &&
      state.markets.oracle[0 as MarketRow]! > 0 &&
      state.parameters[0]!.takeoverDistance === 0,
  );

export const liquidationPlants: Plants = {
  liquidationPriceIsFirst: ([1, -1] as const).map((offset) => ({
    fault: `a price off by ${offset}`,
    plant: () => {},
    check: (state: State, step: Step) =>
      findLatePrice(state, step, (venue, at) => {
        const price = getLiquidationPrice(venue, at);
        return price === undefined ? undefined : price + offset;
      }),
  })),
  recordStages: [
    {
      fault: "a stage of a record that was never opened",
      plant: (_s, step) => eventStep(step, [stageOf("bookClosing")]),
    },
    {
      fault: "a record with the number of another block",
      plant: (_s, step) => eventStep(step, [opened(5, 9)]),
    },
    {
      fault: "a second step in a block",
      plant: (state, step) => eventStep(step, recordOf(state, opened(5, 9), continued(5, 9))),
    },
    {
      fault: "a record that starts twice",
      plant: (state, step) => eventStep(step, recordOf(state, opened(5, 9), opened(5, 9))),
    },
    {
      fault: "a later step of no record",
      plant: (state, step) => eventStep(step, recordOf(state, continued(5, 9))),
    },
    {
      fault: "a second record of a margin account",
      plant: (state, step) => {
        const [first, second] = recordOf(state, opened(5, 9), opened(5, 9));
        return eventStep(step, [first, { ...second, liquidation: second!.liquidation + 1 }]);
      },
    },
    {
      fault: "a stage out of order",
      plant: (state, step) =>
        eventStep(step, recordOf(state, opened(5, 9), stageOf("deleveraging"), stageOf("bookClosing"))),
    },
    {
      fault: "a fill after the end",
      plant: (state, step) =>
        eventStep(step, recordOf(state, opened(5, 9), stageOf("recovered"), { kind: "fill", liquidation: 7 })),
    },
    {
      fault: "a record that stays open without an event",
      plant: (state, step) => {
        loose(state.accounts.liquidation)[1] = 7;
        return eventStep(step, []);
      },
    },
    {
      fault: "a record that ends without an event",
      plant: (_state, step) => {
        const before = forkState(step.before);
        loose(before.accounts.liquidation)[1] = 7;
        return eventStep({ ...step, before }, []);
      },
    },
  ],
  liquidationStepKeepsRatio: [
    {
      fault: "a margin account that had much more when its step began",
      at: turned,
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.map((event) =>
            event.kind === "liquidationStarted" ? { ...event, equity: Math.abs(event.equity) * 1000 + 1e9 } : event,
          ),
        ),
    },
  ],
  takeoverByRule: [
    { fault: "another account takes over", plant: (_s, step) => eventStep(step, [opened(5, 9), takenOver(0)]) },
    ...[
      ["with too much equity", 900, 1200],
      ["with no equity", 0, 9],
    ].map(([what, equity, maintenance]) => ({
      fault: `a takeover of a margin account ${what}`,
      at: backed,
      plant: (state: State, step: Step) =>
        eventStep(step, [opened(equity as number, maintenance as number), takenOver(state.backstops[0]!.account)]),
    })),
    {
      fault: "a takeover for a hundredth more than at the oracle price",
      at: near,
      plant: (state, step) => {
        const price = BigInt(state.markets.oracle[0 as MarketRow]!);
        const value = Number((exactValue(state.parameters[0]!, 1_000n, price) * 101n) / 100n) + 100;
        const event = { ...takenOver(state.backstops[0]!.account), size: 1_000, value };
        return eventStep(step, [opened(5, 9), event]);
      },
    },
  ],
};
